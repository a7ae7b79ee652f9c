"""A study on workers of Dask:   python3 dask_study.py study.toml table.csv SCHEDULER:8786

Without an address it starts workers on this machine. The folder must be one that all workers see.
"""

import sys

import microslip
from distributed import Client

if __name__ == "__main__":
    client = Client(sys.argv[3]) if len(sys.argv) > 3 else Client(n_workers=2, threads_per_worker=1)
    result = microslip.study(sys.argv[1], client=client, shards=8)
    result.to_dataframe().to_csv(sys.argv[2])
    print(result)

#!/bin/bash
# Open MPI as a launcher, a shard for each rank:   mpirun -n 16 mpi.sh study.toml
exec microslip study "$1" --shard "$((OMPI_COMM_WORLD_RANK + 1))/$OMPI_COMM_WORLD_SIZE" --threads 1 --quiet

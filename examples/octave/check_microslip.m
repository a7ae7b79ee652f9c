% Run by the tests: octave-cli check_microslip.m COMMAND, with the mex file on the path.
command = argv (){1};
t = (0:400)' * 0.02;
u = t .* sin (3 * t);
csv = tempname ();
fid = fopen (csv, "w");
fprintf (fid, "t,u\n");
fprintf (fid, "%.17g,%.17g\n", [t, u]');
fclose (fid);
for model = {"jenkins", "iwan4(KT=2)+linear(k=0.1)", "bouc-wen", "maxwell"}
  [status, out] = system (sprintf ("'%s' simulate '%s' --input %s --columns tangent -q -o -", command, model{1}, csv));
  assert (status, 0);
  lines = strsplit (strtrim (out), "\n");
  lines = lines(! strncmp (lines, "#", 1));
  rows = cell2mat (cellfun (@(line) sscanf (line, "%g,")', lines(2:end)', "UniformOutput", false));
  [f, energy, tangent] = microslip ("run", model{1}, u, t);
  assert (isequal (size (f), size (u)));
  assert (isequal ([f, energy, tangent], rows(:, 3:5)), ["other numbers than the command: ", model{1}]);
endfor
delete (csv);

% Driven by force, and rows as well as columns.
[f, ~, ~, u] = microslip ("run", "jenkins(k=2,phi=1)", [0.5, -0.5], [], "force");
assert (u, [0.25, -0.25]);
assert (! isempty (strfind (microslip ("describe", "jenkins"), "\"phi\"")));

% Errors are sentences, and a joint that failed is as it was.
function check (sentence, varargin)
  try
    microslip (varargin{:});
  catch problem
    assert (! isempty (strfind (problem.message, sentence)), problem.message);
    return;
  end_try_catch
  error ("no error: %s", sentence);
endfunction
check ("must lie in", "run", "jenkins(k=-1)", u);
check ("unknown", "run", "jenkis", u);
check ("as many elements", "run", "jenkins", u, 1);
check ("real numbers", "run", "jenkins", "text");
check ("no joint", "trial", 7, 0.5);
check ("planar", "joint", "jenkins-planar");
check ("first argument", "nonsense");
joints = [microslip("joint", "jenkins(k=1,phi=0.5)"), microslip("joint", "jenkins(k=1,phi=5)")];
for j = joints
  microslip ("trial", j, 1);
  microslip ("commit", j);
endfor
assert (arrayfun (@(j) microslip ("trial", j, 1), joints), [0.5, 1]);
microslip ("close", joints(1));
check ("no joint", "trial", joints(1), 1);
ring_down
disp ("microslip works in Octave");

// Ends with one sentence where Node is too old. In a language that the oldest Node reads, and before anything else is loaded.
var version = process.versions.node.split('.').map(Number);
if (version[0] < 24 || (version[0] === 24 && version[1] < 7)) {
  process.stderr.write(
    'Node ' + process.versions.node + ' is too old: install Node 24.7 or newer, or, on Linux, run "npm ci", which brings a Node ' +
      'of its own for "npm start" and all other commands of npm.\n',
  );
  process.exit(1);
}

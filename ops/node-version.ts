// The first import of every entry point: prints what to do when Node is too old, instead of failing on newer syntax.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `Node ${process.versions.node} is too old. This service brings its own Node 24: run it through npm ` +
      `("npm start", "npm run ops -- …"), or install Node 24 or newer.\n`,
  );
  process.exit(1);
}

export {};

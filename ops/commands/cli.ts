/**
 * `npm run ops -- …`: the operator's tool. With `--api URL`, or as `ops api …`, its commands call a service over HTTP instead, as any
 * client may; only the code of the commands that are asked for is loaded.
 */
import '../node-version.ts';

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const given = process.argv.slice(2);
if (given[0] === 'api' || given.some((word) => /^--api(=|$)/.test(word))) {
  const { runRemote } = await import('./remote/program.ts');
  await runRemote(given[0] === 'api' ? given.slice(1) : given);
} else {
  const [{ program }, { runProgram }] = await Promise.all([import('./operator-program.ts'), import('./tools.ts')]);
  await runProgram(program);
}

/**
 * `npm run ops -- …`: the operator's tool. With `--api URL`, or as `ops api …`, it calls a service over HTTP, like any client. Only one of
 * the two programs is loaded.
 */
import '../node-version.cjs';

// A reader may close the pipe early (`| head`); that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const words = process.argv.slice(2);
// `deploy reckon --api 3` counts machines.
const namesService = words[0] !== 'deploy' && words.some((word) => /^--api(=|$)/.test(word));
if (words[0] === 'api' || namesService) {
  const { runRemote } = await import('./remote/program.ts');
  await runRemote(words[0] === 'api' ? words.slice(1) : words);
} else {
  const [{ program }, { runProgram }] = await Promise.all([import('./operator-program.ts'), import('./tools.ts')]);
  await runProgram(program);
}

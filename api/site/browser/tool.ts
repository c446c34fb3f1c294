/** One file, beside the common one, with the modules that nearly every tool uses. */
import './common.ts';
import './elements/ask.ts';
import './elements/code-samples.ts';
import './examples.ts';
import './notices.ts';
import './run/call.ts';
import './run/figures.ts';
import './run/kind.ts';
import './tool-text.ts';

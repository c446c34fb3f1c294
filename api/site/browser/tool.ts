/** One file, beside the common one, with the modules that nearly every tool uses. */
import '../run-idea.ts';
import './common.ts';
import './elements/ask.ts';
import './elements/ask-fields.ts';
import './elements/code-samples.ts';
import './elements/report-contents.ts';
import './examples.ts';
import './notices.ts';
import './run/backtest.ts';
import './run/call.ts';
import './run/figures.ts';
import './run/kind.ts';
import './run/watch.ts';
import './tear-sheet/read.ts';
import './tool-text.ts';
import './trade-columns.ts';
import './workspace.ts';

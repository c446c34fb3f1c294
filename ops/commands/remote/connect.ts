/** How remote commands get their client. */
import type { Client } from '../../../api/clients/typescript/index.ts';

/** Opens the client when a command runs, with the options of the program. */
export type Connect = () => Client;

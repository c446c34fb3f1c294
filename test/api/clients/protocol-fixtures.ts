/** Everything that the suite of the protocol calls by name: tools, resources, and prompts that a server under test must have. */
import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequests,
  inputRequired,
  type McpHttpHandler,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A picture of one pixel, and a sound without samples. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const states = createRequestStateCodec<Record<string, unknown>>({ key: randomBytes(32) });

const text = (value: string): { type: 'text'; text: string } => ({ type: 'text', text: value });
const said = (value: string): CallToolResult => ({ content: [text(value)] });
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
const resource = (uri: string, value: string, mimeType = 'text/plain') =>
  ({ type: 'resource', resource: { uri, mimeType, text: value } }) as const;
const asks = (message: string, name: string, isYesOrNo = false) =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [name]: isYesOrNo ? { type: 'boolean' } : { type: 'string' } },
      required: [name],
    },
  });
const samples = (question: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(question) }], maxTokens: 50 });

type Answer = CallToolResult | ReturnType<typeof inputRequired>;
type Tool = (context: ServerContext, handler: McpHttpHandler) => Answer | Promise<Answer>;

const responses = ({ mcpReq }: ServerContext) => mcpReq.inputResponses;
const accepted = (context: ServerContext, key: string) =>
  acceptedContent<Record<string, unknown>>(responses(context), key);

const TOOLS: Readonly<Record<string, Tool>> = {
  test_simple_text: () => said('This is a simple text response for testing.'),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('test://embedded-resource', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
    ],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken ?? '', progress, total: 100 },
      });
    }
    return said(String(progressToken));
  },
  test_missing_capability: (context) =>
    responses(context) === undefined ? inputRequired({ inputRequests: { answer: samples('pong?') } }) : said('done'),
  test_streaming_elicitation: () => said('only results'),
  test_logging_tool: async ({ mcpReq }) => {
    await mcpReq.log('info', 'only for calls that set a level');
    return said('logged');
  },
  test_trigger_tool_change: (_, { notify }) => {
    notify.toolsChanged();
    return said('published');
  },
  test_trigger_prompt_change: (_, { notify }) => {
    notify.promptsChanged();
    return said('published');
  },
  test_input_required_result_elicitation: (context) => {
    const name = accepted(context, 'user_name')?.name;
    if (typeof name === 'string') return said(`Hello, ${name}!`);
    return inputRequired({ inputRequests: { user_name: asks('What is your name?', 'name') } });
  },
  test_input_required_result_sampling: (context) => {
    const given = responses(context)?.capital_question;
    if (given !== undefined) return said(`Sampling response: ${JSON.stringify(given)}`);
    return inputRequired({ inputRequests: { capital_question: samples('What is the capital of France?') } });
  },
  test_input_required_result_list_roots: (context) => {
    const given = responses(context)?.client_roots;
    if (given !== undefined) return said(JSON.stringify(given));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: async (context) => {
    if (accepted(context, 'confirm') !== undefined && context.mcpReq.requestState() !== undefined)
      return said('state-ok');
    const inputRequests = { confirm: asks('Please confirm', 'ok', true) };
    return inputRequired({ inputRequests, requestState: await states.mint({ of: 'state' }) });
  },
  test_input_required_result_tampered_state: async (context) => {
    if (accepted(context, 'confirm') !== undefined && context.mcpReq.requestState() !== undefined) return said('whole');
    const inputRequests = { confirm: asks('Please confirm', 'ok', true) };
    return inputRequired({ inputRequests, requestState: await states.mint({ of: 'tampering' }) });
  },
  test_input_required_result_multiple_inputs: async (context) => {
    const given = responses(context);
    if (given?.user_name && given.greeting && given.client_roots) return said(JSON.stringify(given));
    const inputRequests = {
      user_name: asks('What is your name?', 'name'),
      greeting: samples('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    };
    return inputRequired({ inputRequests, requestState: await states.mint({ of: 'several' }) });
  },
  test_input_required_result_multi_round: async (context) => {
    const state = context.mcpReq.requestState<Record<string, unknown>>();
    if (state?.round === 2) return said(`${state.name} likes ${accepted(context, 'step2')?.color}`);
    if (state?.round === 1) {
      const { name = 'unknown' } = accepted(context, 'step1') ?? {};
      const inputRequests = { step2: asks('Step 2: What is your favorite color?', 'color') };
      return inputRequired({ inputRequests, requestState: await states.mint({ round: 2, name }) });
    }
    const inputRequests = { step1: asks('Step 1: What is your name?', 'name') };
    return inputRequired({ inputRequests, requestState: await states.mint({ round: 1 }) });
  },
  test_input_required_result_capabilities: (context) => {
    if (responses(context) !== undefined) return said('fulfilled');
    const declared = Reflect.get(Object(context.mcpReq.envelope), CLIENT_CAPABILITIES_META_KEY);
    const inputRequests: InputRequests = {
      ...(declared?.elicitation ? { user_name: asks('What is your name?', 'name') } : {}),
      ...(declared?.sampling ? { greeting: samples('Generate a short greeting') } : {}),
      ...(declared?.roots ? { client_roots: inputRequired.listRoots() } : {}),
    };
    return Object.keys(inputRequests).length === 0 ? said('nothing to ask') : inputRequired({ inputRequests });
  },
};

const user = (...contents: ReturnType<typeof text>[]) =>
  contents.map((content) => ({ role: 'user' as const, content }));

function registerPrompts(server: McpServer): void {
  const prompt = (name: string, messages: object[]) =>
    server.registerPrompt(name, { description: name }, () => ({ messages: JSON.parse(JSON.stringify(messages)) }));
  prompt('test_simple_prompt', user(text('This is a simple prompt for testing.')));
  prompt('test_prompt_with_image', [
    { role: 'user', content: image },
    ...user(text('Please analyze the image above.')),
  ]);
  const two = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt('test_prompt_with_arguments', { description: 'two', argsSchema: two }, ({ arg1, arg2 }) => ({
    messages: user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  }));
  const embedded = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'one', argsSchema: embedded },
    ({ resourceUri }) => ({
      messages: [
        { role: 'user', content: resource(resourceUri, 'Embedded resource content for testing.') },
        ...user(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_input_required_result_prompt', { description: 'asks first' }, (context) => {
    const given = accepted(context, 'user_context')?.context;
    if (typeof given === 'string') return { messages: user(text(`Use the following context: ${given}`)) };
    return inputRequired({ inputRequests: { user_context: asks('Which context?', 'context') } });
  });
}

function registerResources(server: McpServer): void {
  const serve = (name: string, mimeType: string, content: { text: string } | { blob: string }) => {
    const uri = `test://${name}`;
    server.registerResource(name, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...content }] }));
  };
  serve('static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  serve('static-binary', 'image/png', { blob: PIXEL });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href }, { id }) => {
    const value = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri: href, mimeType: 'application/json', text: value }] };
  });
}

/** Schemas with everything that their dialect has, and a parameter that a header repeats. */
function registerSchemas(server: McpServer): void {
  const fields = { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } };
  const region = fromJsonSchema<{ region?: string }>(Object({ type: 'object', properties: fields }));
  server.registerTool('test_x_mcp_header', { description: 'a header', inputSchema: region }, (given) =>
    said(`region=${given.region}`),
  );
  const dialect = fromJsonSchema({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: the word of the dialect
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  });
  server.registerTool('json_schema_2020_12_tool', { description: 'a dialect', inputSchema: dialect }, (given) =>
    said(JSON.stringify(given)),
  );
}

/** A server with everything that the suite calls. */
export function createFixtureServer(handler: McpHttpHandler): McpServer {
  const server = new McpServer(
    { name: 'fixtures', version: '1' },
    { capabilities: { logging: {}, completions: {} }, requestState: { verify: states.verify } },
  );
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: name, inputSchema: z.object({}) }, (_, context) => run(context, handler));
  }
  registerSchemas(server);
  registerPrompts(server);
  registerResources(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  return server;
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: source texts

import type { Mutations, Planting } from './plant.ts'

/** Faults in requests to a model. */
const requestFaults: Mutations = {
  'system prompt lost': [
    ['anthropic', 'request.ts', "system: system.length > 0 ? system.join('\\n\\n') : undefined,", ''],
    ['gemini', 'request.ts', 'systemInstruction: system.length > 0 ? { parts: system } : undefined,', ''],
  ],
  'roles do not alternate, or are exchanged': [
    ['anthropic', 'request.ts', 'if (last?.role === role) turns', 'if (false) turns'],
    ['gemini', 'request.ts', "message.role === 'assistant' ? 'model' : 'user'", "message.role === 'assistant' ? 'user' : 'model'"],
  ],
  'picture left out': [
    [
      'anthropic',
      'request.ts',
      "return message.parts.map((part) =>\n      part.type === 'text'",
      "return message.parts.filter((part) => part.type === 'text').map((part) =>\n      part.type === 'text'",
    ],
    [
      'gemini',
      'request.ts',
      "return message.parts.map((part) =>\n      part.type === 'text'",
      "return message.parts.filter((part) => part.type === 'text').map((part) =>\n      part.type === 'text'",
    ],
    ['anthropic', 'request.ts', 'media_type: part.image.mediaType', "media_type: 'image/jpeg'"],
  ],
  'tool result under the wrong name, or lost': [
    ['anthropic', 'request.ts', 'tool_use_id: message.callId', "tool_use_id: 'call'"],
    ['anthropic', 'request.ts', 'content: message.text, ...(message.failed', "content: '', ...(message.failed"],
    ['gemini', 'request.ts', 'functionResponse: { name: nameOf(message.name),', 'functionResponse: { name: message.callId,'],
    ['gemini', 'request.ts', 'return failed ? { error: words } : isRow(value) ? value : { result: words }', 'return {}'],
  ],
  'earlier tool calls lost': [
    ['anthropic', 'request.ts', 'return [...said, ...calls]', 'return said'],
    [
      'gemini',
      'request.ts',
      'functionCall: { name: nameOf(name), args: objectIn(given) }',
      'functionCall: { name: nameOf(name), args: {} }',
    ],
  ],
  'signature of a tool call lost': [
    ['gemini', 'request.ts', '...(carry !== undefined && { thoughtSignature: carry }),', ''],
    ['gemini', 'complete.ts', '...(carry !== undefined && { carry }),', ''],
  ],
  'invalid key reported as an invalid request': [['gemini', 'problem.ts', 'reason === BAD_KEY', 'reason === label']],
  'tools left out': [
    ['anthropic', 'request.ts', 'tools: tools?.map(', 'tools: [].map('],
    ['gemini', 'request.ts', '...present({ parameters: parametersOf(schema) }),', ''],
    ['anthropic', 'request.ts', 'input_schema: schema', 'input_schema: {}'],
  ],
  'schema of the answer left out': [
    [
      'anthropic',
      'request.ts',
      "output_config: output && { format: { type: 'json_schema', schema: objectSchema(output.schema) ?? output.schema } },",
      '',
    ],
    ['gemini', 'request.ts', 'responseSchema: output && schemaOf(objectSchema(output.schema) ?? output.schema),', ''],
    ['gemini', 'request.ts', "responseMimeType: output && 'application/json',", ''],
    ['gemini', 'schema.ts', 'const schema: Row = { type, ...Object', 'const schema: Row = { ...node, type, ...Object'],
  ],
  'maximum answer length ignored': [
    ['anthropic', 'request.ts', 'max_tokens: maxTokens ?? settings.longest', 'max_tokens: settings.longest'],
    ['gemini', 'request.ts', '    maxOutputTokens: maxTokens,\n', ''],
    [
      'openai',
      'index.ts',
      'completion, { limit: context.settings.limit',
      '{ ...completion, maxTokens: undefined }, { limit: context.settings.limit',
    ],
  ],
  'wrong model': [
    ['gemini', 'complete.ts', 'encodeURIComponent(asked.model)', "'gemini-pro'"],
    ['anthropic', 'request.ts', '  return {\n    model,', "  return {\n    model: 'claude',"],
  ],
}

/** Faults in reading a streamed answer. */
const streamFaults: Mutations = {
  'character split between two chunks': [
    [
      'anthropic',
      'complete.ts',
      'eventsOf(response.body)',
      'eventsOf(response.body.pipeThrough(new TransformStream({ transform: (bytes, out) => { for (const byte of bytes) out.enqueue(new TextEncoder().encode(new TextDecoder().decode(new Uint8Array([byte])))) } })))',
    ],
    [
      'gemini',
      'complete.ts',
      'eventsOf(response.body)',
      'eventsOf(response.body.pipeThrough(new TransformStream({ transform: (bytes, out) => { for (const byte of bytes) out.enqueue(new TextEncoder().encode(new TextDecoder().decode(new Uint8Array([byte])))) } })))',
    ],
  ],
  'chunk of a text lost': [
    [
      'anthropic',
      'complete.ts',
      "if (type === 'text_delta' && text(said) !== undefined)",
      "if (type === 'text_delta' && text(said)?.trim())",
    ],
    ['gemini', 'complete.ts', 'if (text(said) !== undefined) yield', 'if (text(said)?.trim()) yield'],
    [
      'anthropic',
      'complete.ts',
      "yield { type: 'text', text: String(said) }\n    if (type === 'thinking_delta'",
      "yield { type: 'text', text: String(said).trim() }\n    if (type === 'thinking_delta'",
    ],
  ],
  'thoughts returned as the answer': [
    ['gemini', 'complete.ts', "thought === true ? 'thought' : 'text'", "'text'"],
    ['anthropic', 'complete.ts', "yield { type: 'thought', text: String(thinking) }", "yield { type: 'text', text: String(thinking) }"],
  ],
  'usage of the last chunk lost': [
    ['anthropic', 'complete.ts', '      this.#count(event.usage)\n', ''],
    ['gemini', 'complete.ts', 'this.#usage = { ...this.#usage, ...said.usageMetadata }', 'this.#usage ??= said.usageMetadata'],
    ['gemini', 'complete.ts', "if (this.#usage) yield { type: 'usage', usage: usageIn(this.#usage) }", ''],
  ],
  'usage of the first chunk lost': [
    ['anthropic', 'complete.ts', '    this.#count(usage)\n', ''],
    [
      'anthropic',
      'complete.ts',
      'this.#usage = { ...this.#usage, ...Object.fromEntries(counts) }',
      'this.#usage = Object.fromEntries(counts)',
    ],
  ],
  'usage counted twice or exchanged': [
    [
      'anthropic',
      'complete.ts',
      'outputTokens: whole(said.output_tokens)',
      'outputTokens: whole(said.output_tokens) + whole(said.input_tokens)',
    ],
    [
      'gemini',
      'complete.ts',
      'said.promptTokenCount,\n    said.candidatesTokenCount',
      'said.candidatesTokenCount,\n    said.promptTokenCount',
    ],
  ],
  'tokens read from a cache not counted': [
    ['anthropic', 'complete.ts', 'whole(said.input_tokens) + cached + whole(said.cache_creation_input_tokens)', 'whole(said.input_tokens)'],
  ],
  'thoughts not counted': [['gemini', 'complete.ts', '(output ?? 0) + (thoughts ?? 0)', '(output ?? 0)']],
  'end invented': [
    ['anthropic', 'complete.ts', '  throw brokeOff(label)\n}', "  yield { type: 'end', reason: 'stop' }\n}"],
    ['gemini', 'complete.ts', 'if (this.#ending === undefined) throw brokeOff(label)', "this.#ending ??= 'stop'"],
  ],
  'error during an answer read as its end': [
    [
      'anthropic',
      'complete.ts',
      "if (event.type === 'error') throw failure(row(event.error))",
      "if (event.type === 'error') {\n      this.isWhole = true\n      yield { type: 'end', reason: 'stop' }\n    }",
    ],
    ['gemini', 'complete.ts', 'if (isRow(said.error)) throw failure(said.error)', "if (isRow(said.error)) this.#ending = 'stop'"],
  ],
  'error status ignored': [
    ['anthropic', 'complete.ts', 'if (!response.ok) throw problemOf', 'if (false) throw problemOf'],
    [
      'gemini',
      'complete.ts',
      "if (!response.ok) throw problemOf(context, { status, headers, value: jsonIn(await response.text()) }, 'POST')",
      "if (!response.ok) throw new AdapterError('unavailable', label)",
    ],
    ['anthropic', 'models.ts', 'if (!answer.ok) throw problemOf(context, label, answer)', 'if (!answer.ok) return []'],
    ['openrouter', 'index.ts', 'if (!answer.ok) throw problemOf(context, label, answer)', ''],
  ],
  'wrong reason for the end': [
    ['anthropic', 'complete.ts', "max_tokens: 'length'", "max_tokens: 'stop'"],
    ['gemini', 'complete.ts', "MAX_TOKENS: 'length'", "MAX_TOKENS: 'stop'"],
    ['anthropic', 'complete.ts', "refusal: 'refused'", "refusal: 'stop'"],
    ['gemini', 'complete.ts', "if (text(row(said.promptFeedback).blockReason) !== undefined) this.#ending = 'refused'", ''],
    ['anthropic', 'complete.ts', "tool_use: 'tools'", "tool_use: 'stop'"],
    ['gemini', 'complete.ts', "this.#calls > 0 && this.#ending === 'stop' ? 'tools' : this.#ending", 'this.#ending'],
  ],
  'tool arguments cut or changed': [
    ['anthropic', 'complete.ts', "call.arguments += text(piece) ?? ''", "call.arguments = text(piece) ?? ''"],
    ['gemini', 'complete.ts', 'arguments: JSON.stringify(call.args ?? {})', 'arguments: String(call.args)'],
    ['anthropic', 'complete.ts', 'id: text(id) ?? `call-${at}`', 'id: `call-${at}`'],
    ['gemini', 'complete.ts', 'id: text(call.id) ?? `${this.#generation}-${this.#calls}`', 'id: this.#generation'],
    [
      'anthropic',
      'complete.ts',
      "if (call) yield { type: 'toolCall', call: { ...call, arguments: call.arguments || '{}' } }",
      "if (call && at < 2) yield { type: 'toolCall', call }",
    ],
  ],
  'generation id not reported': [
    ['anthropic', 'complete.ts', "if (generation !== undefined) yield { type: 'started', generation }", ''],
    [
      'gemini',
      'complete.ts',
      "if (!this.#begun && generation !== undefined) yield { type: 'started', generation }",
      "if (generation !== undefined) yield { type: 'started', generation }",
    ],
  ],
  'stream read after it was cancelled': [
    ['anthropic', 'complete.ts', '    streams: true,\n', ''],
    ['gemini', 'complete.ts', '    streams: true,\n', ''],
  ],
}

/** Faults in lists of models, pictures and generations. */
const listFaults: Mutations = {
  'wrong kinds of models listed': [
    ['openai', 'models.ts', 'const DRAWS = /^(gpt-image|dall-e)/', 'const DRAWS = /^dall-e/'],
    ['openai', 'models.ts', 'OTHER.test(name) ? []', 'OTHER.test(name) || SPEAKS.test(name) ? []'],
    ['openrouter', 'models.ts', 'outputs.includes(one)),\n    ...(voices', 'inputs.includes(one)),\n    ...(voices'],
    ['gemini', 'models.ts', '!does.includes(WRITES)', 'does.includes(WRITES)'],
    ['openrouter', 'models.ts', "output_modalities: 'all', ", ''],
  ],
  'page of models skipped': [
    ['openrouter', 'models.ts', 'limit: PAGE, offset }', 'limit: 1 }'],
    ['openrouter', 'models.ts', 'if (page.length < PAGE) break', 'break'],
  ],
  'models listed twice': [
    [
      'openrouter',
      'models.ts',
      'return [...new Map(found.map((one) => [one.id, one])).values()].slice(0, MODELS_MAX)',
      'return [...found, ...found.slice(0, 1)]',
    ],
  ],
  'prices per million tokens returned as per token': [
    [
      'openrouter',
      'models.ts',
      '[costIn(pricing.prompt), costIn(pricing.completion)]',
      '[costIn(Number(pricing.prompt) * 1_000_000), costIn(pricing.completion)]',
    ],
    [
      'openrouter',
      'models.ts',
      '[costIn(pricing.prompt), costIn(pricing.completion)]',
      '[costIn(pricing.completion), costIn(pricing.prompt)]',
    ],
  ],
  'unknown generation reported as done': [
    ['openrouter', 'look-up.ts', 'if (answer.status === 404) return null', 'if (answer.status === 404) return { done: true, usage: {} }'],
    ['openrouter', 'look-up.ts', 'text(said.finish_reason) !== undefined || said.cancelled === true', 'false'],
  ],
  'usage of a generation differs from the bill': [
    ['openrouter', 'look-up.ts', 'whole(said.native_tokens_completion)', 'whole(said.tokens_completion)'],
    ['openrouter', 'look-up.ts', 'cost: costIn(said.total_cost),', ''],
  ],
  'secret in a URL': [
    ['gemini', 'complete.ts', ':streamGenerateContent?alt=sse`', ':streamGenerateContent?alt=sse&key=${context.credentials.apiKey}`'],
    ['gemini', 'models.ts', 'query: { pageSize: PAGE }', 'query: { pageSize: PAGE, key: context.credentials.apiKey }'],
    ['openai', 'models.ts', '`${root}/models`', '`${root}/models?key=${context.credentials.apiKey}`'],
  ],
}

export const model: Planting = {
  kind: 'model',
  mutations: { ...requestFaults, ...streamFaults, ...listFaults },
  sampleSize: 2,
  atLeast: { sorts: 20, faults: 60 },
}

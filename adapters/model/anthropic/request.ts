import { type Completion, isRow, jsonIn, type Message, objectSchema, present, type ToldTools, tellTools } from 'serai/model'
import type { Context } from './fields.ts'

type Block = Readonly<Record<string, unknown>>
interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: readonly Block[]
}

/** API version that refuses `temperature`. */
const COLD = '2026-10-21'
const choices = { auto: { type: 'auto' }, none: { type: 'none' }, required: { type: 'any' } } as const

/** Builds the body of `/messages`. The system prompt is separate, and roles alternate. `told`: the tools, translated for Anthropic. */
export function requestOf({ settings }: Context, asked: Completion, told: ToldTools = tellTools(asked)) {
  const { model, messages, toolChoice, output, maxTokens, temperature, person } = asked
  const tools = told.tools.length > 0 ? told.tools : undefined
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []))
  return {
    model,
    max_tokens: maxTokens ?? settings.longest,
    stream: true,
    messages: turnsOf(messages, told),
    ...present({
      system: system.length > 0 ? system.join('\n\n') : undefined,
      tools: tools?.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
      tool_choice: tools && toolChoice && choices[toolChoice],
      output_config: output && { format: { type: 'json_schema', schema: objectSchema(output.schema) ?? output.schema } },
      // The maximum is 1.
      temperature: settings.version === COLD || temperature === undefined ? undefined : Math.min(1, temperature),
      metadata: person === undefined ? undefined : { user_id: person },
    }),
  }
}

/** Merges consecutive messages of one role. Tool results belong to the user's role. */
function turnsOf(messages: readonly Message[], told: ToldTools): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, content: [...last.content, ...blocksOf(message, told)] }
    else turns.push({ role, content: blocksOf(message, told) })
  }
  return turns.filter(({ content }) => content.length > 0)
}

function blocksOf(message: Message, { nameOf }: ToldTools): Block[] {
  if (message.role === 'user')
    return message.parts.map((part) =>
      part.type === 'text'
        ? { type: 'text', text: part.text }
        : { type: 'image', source: { type: 'base64', media_type: part.image.mediaType, data: part.image.data } },
    )
  if (message.role === 'tool')
    return [{ type: 'tool_result', tool_use_id: message.callId, content: message.text, ...(message.failed && { is_error: true }) }]
  if (message.role === 'system') return []
  const said = message.text === '' ? [] : [{ type: 'text', text: message.text }]
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: given }) => ({
    type: 'tool_use',
    id,
    name: nameOf(name),
    input: inputOf(given),
  }))
  return [...said, ...calls]
}

/** Returns an object, as the API requires; an empty one for other arguments of the model. */
function inputOf(given: string): object {
  const value = jsonIn(given)
  return isRow(value) ? value : {}
}

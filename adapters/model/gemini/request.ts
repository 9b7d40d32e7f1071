import { type Completion, isRow, jsonIn, type Message, present } from 'serai/model'

type Piece = Readonly<Record<string, unknown>>
interface Turn {
  readonly role: 'user' | 'model'
  readonly parts: readonly Piece[]
}

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const

/** What is asked of `:streamGenerateContent`. */
export function requestOf({ messages, tools: offered, toolChoice, output, maxTokens, temperature }: Completion) {
  const tools = offered?.length ? offered : undefined
  const system = messages.flatMap((message) => (message.role === 'system' ? [{ text: message.text }] : []))
  const generationConfig = present({
    temperature,
    maxOutputTokens: maxTokens,
    responseMimeType: output && 'application/json',
    responseSchema: output && schemaOf(output.schema),
  })
  return {
    contents: turnsOf(messages),
    generationConfig,
    ...present({
      systemInstruction: system.length > 0 ? { parts: system } : undefined,
      tools: tools && [
        {
          functionDeclarations: tools.map(({ name, description, parameters }) => ({ name, description, parameters: schemaOf(parameters) })),
        },
      ],
      toolConfig: tools && toolChoice && { functionCallingConfig: { mode: modes[toolChoice] } },
    }),
  }
}

/** What one side says in several messages is one turn. */
function turnsOf(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'model' : 'user'
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, parts: [...last.parts, ...piecesOf(message)] }
    else turns.push({ role, parts: piecesOf(message) })
  }
  return turns.filter(({ parts }) => parts.length > 0)
}

function piecesOf(message: Message): Piece[] {
  if (message.role === 'user')
    return message.parts.map((part) =>
      part.type === 'text' ? { text: part.text } : { inlineData: { mimeType: part.image.mediaType, data: part.image.data } },
    )
  if (message.role === 'tool') return [{ functionResponse: { name: message.name, response: answerOf(message.text, message.failed) } }]
  if (message.role === 'system') return []
  const said = message.text === '' ? [] : [{ text: message.text }]
  const calls = (message.toolCalls ?? []).map(({ name, arguments: given, carry }) => ({
    functionCall: { name, args: objectIn(given) },
    ...(carry !== undefined && { thoughtSignature: carry }),
  }))
  return [...said, ...calls]
}

const objectIn = (written: string): object => {
  const value = jsonIn(written)
  return isRow(value) ? value : {}
}
/** It wants an object, whatever the tool answered. */
const answerOf = (words: string, failed = false): object => {
  const value = jsonIn(words)
  return failed ? { error: words } : isRow(value) ? value : { result: words }
}

/** Words of JSON Schema that its schemas know; what else a schema says is checked here alone. */
const KNOWN = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'items', 'minItems', 'maxItems', 'required'],
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'anyOf', 'properties', 'propertyOrdering'],
])

function schemaOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(schemaOf)
  if (!isRow(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      if (name === 'const') return [['enum', [value]]]
      if (name === 'properties' && isRow(value))
        return [[name, Object.fromEntries(Object.entries(value).map(([field, one]) => [field, schemaOf(one)]))]]
      return KNOWN.has(name) ? [[name, schemaOf(value)]] : []
    }),
  )
}

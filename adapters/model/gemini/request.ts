import { type Completion, isRow, jsonIn, type Message, objectSchema, present, type ToldTools, tellTools } from 'serai/model'
import { parametersOf, schemaOf } from './schema.ts'

type Piece = Readonly<Record<string, unknown>>
interface Turn {
  readonly role: 'user' | 'model'
  readonly parts: readonly Piece[]
}

const modes = { auto: 'AUTO', none: 'NONE', required: 'ANY' } as const

/** Builds the body of `:streamGenerateContent`. `told`: the tools, translated for Gemini. */
export function requestOf(asked: Completion, told: ToldTools = tellTools(asked)) {
  const { messages, toolChoice, output, maxTokens, temperature } = asked
  const tools = told.tools.length > 0 ? told.tools : undefined
  const system = messages.flatMap((message) => (message.role === 'system' ? [{ text: message.text }] : []))
  const generationConfig = present({
    temperature,
    maxOutputTokens: maxTokens,
    responseMimeType: output && 'application/json',
    responseSchema: output && schemaOf(objectSchema(output.schema) ?? output.schema),
  })
  return {
    contents: turnsOf(messages, told),
    generationConfig,
    ...present({
      systemInstruction: system.length > 0 ? { parts: system } : undefined,
      tools: tools && [
        {
          functionDeclarations: tools.map(({ name, description, schema }) => ({
            name,
            description,
            ...present({ parameters: parametersOf(schema) }),
          })),
        },
      ],
      toolConfig: tools && toolChoice && { functionCallingConfig: { mode: modes[toolChoice] } },
    }),
  }
}

/** Merges consecutive messages of one role. */
function turnsOf(messages: readonly Message[], told: ToldTools): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const role = message.role === 'assistant' ? 'model' : 'user'
    const last = turns.at(-1)
    if (last?.role === role) turns[turns.length - 1] = { role, parts: [...last.parts, ...piecesOf(message, told)] }
    else turns.push({ role, parts: piecesOf(message, told) })
  }
  return turns.filter(({ parts }) => parts.length > 0)
}

function piecesOf(message: Message, { nameOf }: ToldTools): Piece[] {
  if (message.role === 'user')
    return message.parts.map((part) =>
      part.type === 'text' ? { text: part.text } : { inlineData: { mimeType: part.image.mediaType, data: part.image.data } },
    )
  if (message.role === 'tool')
    return [{ functionResponse: { name: nameOf(message.name), response: answerOf(message.text, { failed: message.failed }) } }]
  if (message.role === 'system') return []
  const said = message.text === '' ? [] : [{ text: message.text }]
  const calls = (message.toolCalls ?? []).map(({ name, arguments: given, carry }) => ({
    functionCall: { name: nameOf(name), args: objectIn(given) },
    ...(carry !== undefined && { thoughtSignature: carry }),
  }))
  return [...said, ...calls]
}

const objectIn = (written: string): object => {
  const value = jsonIn(written)
  return isRow(value) ? value : {}
}
/** Returns an object, as the API requires; other tool results are wrapped. */
const answerOf = (words: string, { failed }: { readonly failed: boolean | undefined }): object => {
  const value = jsonIn(words)
  return failed ? { error: words } : isRow(value) ? value : { result: words }
}

import { afterAll, expect, test } from 'bun:test'
import { complete } from '../../../../adapters/model/gemini/complete.ts'
import gemini from '../../../../adapters/model/gemini/index.ts'
import { requestOf } from '../../../../adapters/model/gemini/request.ts'

const said: object[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response(said.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')),
})
afterAll(() => server.stop(true))
const asked = { model: 'gemini-small', messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Hello' }] }] }
const context = {
  credentials: { apiKey: 'x' },
  settings: { version: 'v1beta' },
  fetch: (_: string, init: RequestInit) => fetch(server.url, init),
  now: Date.now,
} as never
const answer = async (...chunks: object[]) => {
  said.splice(0, said.length, ...chunks)
  return Array.fromAsync(complete(context, asked))
}
const candidate = (parts: object[], finishReason?: string) => ({ candidates: [{ content: { role: 'model', parts }, finishReason }] })

test('gemini: an unusual finish reason is reported, and missing token counts stay missing', async () => {
  await expect(answer(candidate([{ text: 'a' }], 'MALFORMED_FUNCTION_CALL'))).rejects.toMatchObject({ reason: 'unavailable' })
  await expect(answer(candidate([{ text: 'a' }], 'constructor'))).rejects.toMatchObject({ reason: 'unavailable' })
  expect(await answer(candidate([{ text: 'a' }], 'STOP'))).toEqual([
    { type: 'text', text: 'a' },
    { type: 'end', reason: 'stop' },
  ])
})

test('calls of tools that have no names of their own are given some, of one answer alone', async () => {
  const call = { functionCall: { name: 'look_up', args: {} } }
  const parts = await answer({ responseId: 'r-7', ...candidate([call, call], 'STOP') })
  expect(parts.flatMap((part) => (part.type === 'toolCall' ? [part.call.id] : []))).toEqual(['r-7-1', 'r-7-2'])
  expect(parts.at(-1)).toEqual({ type: 'end', reason: 'tools' })
})

test('gemini: the thought signature of a call is carried with it when it is a text', async () => {
  const piece = (thoughtSignature: unknown) => ({ functionCall: { name: 'look_up', args: {} }, thoughtSignature })
  const parts = await answer(candidate([piece('sig/+='), piece(7)], 'STOP'))
  expect(parts.flatMap((part) => (part.type === 'toolCall' ? [part.call.carry] : []))).toEqual(['sig/+=', undefined])
})

test('gemini: a schema is reduced to the keywords that the API knows', () => {
  const schema = {
    type: 'object',
    properties: { const: { const: 'red' }, size: { type: 'integer', exclusiveMinimum: 1, minimum: 2 } },
    additionalProperties: false,
    $defs: {},
  }
  expect(requestOf({ ...asked, output: { name: 'a', schema } }).generationConfig.responseSchema).toEqual({
    type: 'object',
    properties: {
      const: { type: 'string', enum: ['red'] },
      size: { type: 'integer', minimum: 2, description: '(exclusiveMinimum: 1)' },
    },
  })
  expect(requestOf({ ...asked, tools: [] })).not.toHaveProperty('tools')
  expect(gemini.net).toEqual(['generativelanguage.googleapis.com'])
})

import { afterAll, describe, expect, test } from 'bun:test'
import { picture } from '../../../adapters/model/sandbox-model/picture.ts'
import { startOpenAi } from '../../adapters/model/openai/rig.ts'
import { startApp } from '../../support/app.ts'
import { connectModels, ended, rich, says, WRITER, wrongIn } from './tasks-support.ts'

const openai = startOpenAi()
const app = await startApp({ simulators: { 'api.openai.com': openai.url } })
afterAll(() => openai.stop())
const { call, ok, context } = app
const admin = await app.person('The administrator')
const main = await app.shop()
await connectModels(ok, admin.token)
const openaiIs = (settings: object) =>
  ok('PUT', '/v1/platform/integrations/openai', {
    as: admin.token,
    body: { enabled: true, credentials: { apiKey: openai.key }, settings: { prices: 'gpt-small 0.25 2', ...settings } },
  })
await openaiIs({})
await rich(ok, admin.token, main, '10')
const as = main.key

const post = (input: object, model = WRITER) => call('POST', '/v1/ai/tasks', { as, body: { model, input } })
const done = async (input: object, model = WRITER) => {
  const { status, body } = await post(input, model)
  expect([status, body.error]).toEqual([202, undefined])
  return (await ended(ok, as, [body.data.id]))[0]
}

const DOT = picture('a dot', 'square')
const BYTES = Buffer.from(DOT.data, 'base64')
const shows = (images: object[], more: object = {}) => ({
  type: 'text',
  messages: [{ role: 'user', text: 'What is this?', images, ...more }],
})

describe('pictures in what is asked', () => {
  test('a model is given them, and they are part of what is held', async () => {
    const [plain, shown] = [await post(says('What is this?')), await post(shows([DOT, DOT]))]
    expect(Number(shown.body.data.hold)).toBeGreaterThan(Number(plain.body.data.hold))
    const [task] = await ended(ok, as, [shown.body.data.id])
    expect(task).toMatchObject({ state: 'completed', result: { text: 'You said: What is this? [image] [image]' } })
  })

  test('each is held and charged by the price of a picture, to the last digit', async () => {
    for (const [text, state] of [
      ['What is this?', 'completed'],
      // Its answer is lost, and what it took is looked up.
      ['CUT in the midst of it', 'failed'],
    ]) {
      const task = await done(shows([DOT, DOT], { text }))
      const { inputTokens, outputTokens } = task.usage
      const due = (inputTokens + 2 * outputTokens + 2 * 300) / 1e6
      expect([task.state, task.cost, task.charged]).toEqual([state, due, due])
    }
    // By our own count: the letters, what goes around them, as many tokens as a picture may be, and its price.
    const [one, two] = [await post(shows([DOT])), await post(shows([DOT, DOT]))].map(({ body }) => Number(body.data.hold))
    expect((two ?? 0) - (one ?? 0)).toBeCloseTo((1_500 + 300) / 1e6, 12)
  })

  test('on the wire they are what they were', async () => {
    openai.say({ pieces: ['A dot.'], usage: { inputTokens: 900, outputTokens: 3 } })
    const task = await done(shows([DOT]), 'openai/gpt-small')
    expect(task).toMatchObject({ state: 'completed', result: { text: 'A dot.' } })
    const [said] = JSON.parse(openai.calls.at(-1)?.body ?? '{}').messages
    expect(said).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${DOT.data}` } },
      ],
    })
  })

  test('what is no picture, or is another, or stands elsewhere, is refused, and nothing is held', async () => {
    const before = await ok('GET', '/v1/ai/balance', { as })
    const of = (bytes: Uint8Array | string, mediaType = 'image/png') => ({ mediaType, data: Buffer.from(bytes).toString('base64') })
    const path = async (input: object, model?: string) => {
      const { status, body } = await post(input, model)
      return [status, body.error.details?.[0].path]
    }
    const images = '/body/input/messages/0/images'
    expect(await path(shows([DOT, of('<svg onload="x()"/>')]))).toEqual([400, `${images}/1`])
    expect(await path(shows([of(BYTES, 'image/jpeg')]))).toEqual([400, `${images}/0`])
    expect(await path(shows([{ ...DOT, data: `${DOT.data} ` }]))).toEqual([400, `${images}/0/data`])
    expect(await path(shows([DOT], { role: 'assistant' }))).toEqual([400, images])
    expect((await path(shows([of(BYTES, 'image/svg+xml')])))[0]).toBe(400)
    expect((await path(shows([])))[0]).toBe(400)
    const many = { type: 'text', messages: [1, 2].map(() => ({ role: 'user', text: 'x', images: Array.from({ length: 9 }, () => TINY) })) }
    expect(await path(many)).toEqual([400, '/body/input/messages/1/images'])
    expect((await post(shows([of(Buffer.concat([BYTES, new Uint8Array(1024 * 1024)]))]))).status).toBe(413)
    await openaiIs({ pictures: false })
    expect(await path(shows([DOT]), 'openai/gpt-small')).toEqual([400, images])
    expect(await ok('GET', '/v1/ai/balance', { as })).toEqual(before)
  })
})

const TINY = { mediaType: 'image/gif', data: 'R0lGODlhAQABAAAAACwAAAAAAQABAAAC' }

describe('an answer that has to fit a schema', () => {
  const schema = {
    type: 'object',
    required: ['count'],
    additionalProperties: false,
    properties: { count: { type: 'integer', maximum: 9 } },
  }
  const output = { name: 'counted', schema }

  test('that fits', async () => {
    const task = await done(says('How many? 7', { output }))
    expect([task.state, task.reason, JSON.parse(task.result.text)]).toEqual(['completed', null, { count: 7 }])
  })

  test.each([
    ['{"count": "many"}', '/count: expected integer'],
    ['{"count": 10}', '/count: maximum is 9'],
  ])('that does not: %s', async (said, problem) => {
    const task = await done(says(`How many? ${said}`, { output }))
    expect(task).toMatchObject({ state: 'failed', reason: 'output_invalid', cost: task.charged })
    expect(task.message).toContain(problem)
    expect([JSON.parse(task.result.text), Number(task.charged) > 0]).toEqual([JSON.parse(said), true])
  })

  test('of a real server: cut short, it is no JSON, and is charged by what was counted', async () => {
    await openaiIs({})
    openai.say({ pieces: ['{"cou', 'nt": '], ending: 'length', usage: { inputTokens: 1_000, outputTokens: 100 } })
    const task = await done(says('How many?', { output }), 'openai/gpt-small')
    expect(task).toMatchObject({ state: 'failed', reason: 'output_invalid', charged: 0.00045, result: { ending: 'length' } })
    openai.say({ pieces: ['{"count": 3, "a\\u0000": 1}'] })
    expect(await done(says('How many?', { output }), 'openai/gpt-small')).toMatchObject({ state: 'failed', reason: 'output_invalid' })
    openai.say({ pieces: ['```json\n{"count"', ': 3}\n```'] })
    expect(await done(says('How many?', { output }), 'openai/gpt-small')).toMatchObject({ state: 'completed' })
    expect(await wrongIn(context.sql)).toEqual([])
  })
})

test('a repeat gets the first answer when the model is gone; another request does not', async () => {
  await openaiIs({})
  openai.say({ pieces: ['Once.'] })
  const send = (key: string, text = 'once') =>
    call('POST', '/v1/ai/tasks', { as, body: { model: 'openai/gpt-small', input: says(text) }, headers: { 'idempotency-key': key } })
  const first = await send('first')
  expect(first.status).toBe(202)
  await ended(ok, as, [first.body.data.id])
  await ok('DELETE', '/v1/platform/integrations/openai', { as: admin.token })
  const repeat = await send('first')
  expect([repeat.status, repeat.body]).toEqual([202, first.body])
  expect((await send('second')).status).toBe(404)
  const reused = await send('first', 'something else')
  expect([reused.status, reused.body.error.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await ok('GET', `/v1/ai/tasks/${first.body.data.id}`, { as })).data.state).toBe('completed')
})

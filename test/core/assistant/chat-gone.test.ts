import { describe, expect, test } from 'bun:test'
import { modelSource } from '../../../core/assistant/chat/generation/source.ts'
import type { Tx } from '../../../core/data/sql.ts'
import { until } from '../../support/until.ts'
import { untilWaiting } from '../../support/waiting.ts'
import { blockedBy, startChat } from './chat-support.ts'

const app = await startChat()
const { ok, call, context, sql, main, as } = app

interface Said {
  readonly role: string
  readonly text: string
  readonly failed: boolean
  readonly proposalId: string | null
}

const PATH = '/v1/chat/conversations'
const conversation = async (): Promise<string> => (await ok('POST', PATH, { as, body: { storeId: main.storeId } })).data.id
const say = async (id: string, text: string): Promise<string> =>
  (await ok('POST', `${PATH}/${id}/messages`, { as, body: { text } })).data.generation.id
const over = (id: string) =>
  until(async () => {
    const { data } = await ok('GET', `/v1/chat/generations/${id}`, { as })
    return data.state === 'running' ? null : data
  })
const messagesOf = async (id: string): Promise<Said[]> => (await ok('GET', `${PATH}/${id}`, { as })).data.messages

/** What is answered to somebody who wants something of what is taken away at that moment. */
async function asked(takeAway: (tx: Tx) => Promise<unknown>, ask: () => ReturnType<typeof call>) {
  const asking = await sql.begin(async (tx) => {
    await takeAway(tx)
    const answer = ask()
    await until(async () => ((await blockedBy(tx)) > 0 ? true : null))
    return { answer }
  })
  const { status, body } = await asking.answer
  return [status, body.error?.code]
}

describe('conversations that are deleted at that moment', () => {
  test.each(['confirm', 'reject'])('to %s a proposal', async (what) => {
    const product = (await ok('POST', '/v1/products', { as, body: { storeId: main.storeId, name: 'Lamp', price: 1000 } })).data
    const id = await conversation()
    await over(await say(id, `call propose_product_change {"productId":"${product.id}","change":{"price":5}}`))
    const proposal = (await messagesOf(id)).find(({ proposalId }) => proposalId)?.proposalId ?? ''
    const gone = (tx: Tx) => tx`delete from chat_proposals where id = ${proposal}`
    expect(await asked(gone, () => call('POST', `/v1/chat/proposals/${proposal}/${what}`, { as }))).toEqual([404, 'not_found'])
    expect((await ok('GET', `/v1/products/${product.id}`, { as })).data.price).toBe(1000)
  })

  test('to change a rule', async () => {
    const { id } = (await ok('POST', '/v1/chat/rules', { as, body: { storeId: main.storeId, name: 'Short', text: 'Be short.' } })).data
    const gone = (tx: Tx) => tx`delete from chat_rules where id = ${id}`
    expect(await asked(gone, () => call('PATCH', `/v1/chat/rules/${id}`, { as, body: { enabled: false } }))).toEqual([404, 'not_found'])
  })

  test('to cancel an answer', async () => {
    const id = await conversation()
    const generation = await say(id, 'Good morning')
    await over(generation)
    const gone = (tx: Tx) => tx`delete from chat_conversations where id = ${id}`
    expect(await asked(gone, () => call('POST', `/v1/chat/generations/${generation}/cancel`, { as }))).toEqual([404, 'not_found'])
  })

  test('to put a prompt into its queue', async () => {
    const id = await conversation()
    const gone = (tx: Tx) => tx`delete from chat_conversations where id = ${id}`
    expect(await asked(gone, () => call('POST', `${PATH}/${id}/queue`, { as, body: { text: 'Next' } }))).toEqual([404, 'not_found'])
  })
})

test('an answer ends when its conversation is deleted, whichever request deletes it', async () => {
  const id = await conversation()
  const generation = await say(id, 'HANG on')
  await until(async () => (context.generationRunner.find(generation) ? true : null))
  await sql`delete from chat_conversations where id = ${id}`
  await until(async () => (context.generationRunner.find(generation) ? null : true), 5_000)
})

test('chat: cancelling after the answer has ended stops the next prompt of the queue', async () => {
  const id = await conversation()
  await ok('POST', `${PATH}/${id}/queue`, { as, body: { text: 'And then?' } })
  const { complete } = modelSource
  Object.assign(modelSource, {
    complete: async (...given: Parameters<typeof complete>) => {
      const completed = await complete(...given)
      // As another process writes it down.
      await sql`update chat_generations set cancel_requested = true where conversation_id = ${id} and state = 'running'`
      return completed
    },
  })
  await over(await say(id, 'Good morning'))
  Object.assign(modelSource, { complete })
  expect((await ok('GET', `${PATH}/${id}/queue`, { as })).data).toHaveLength(1)
  expect((await ok('GET', `${PATH}/${id}`, { as })).data.generationId).toBeNull()
})

test('chat: when the first queued prompt is removed at that moment, the next one is sent', async () => {
  const id = await conversation()
  const queue = `${PATH}/${id}/queue`
  const first = await ok('POST', queue, { as, body: { text: 'First' } })
  await ok('POST', queue, { as, body: { text: 'Second' } })
  const asking = await sql.begin(async (tx) => {
    await tx`select 1 from chat_queue where id = ${first.data.id} for update`
    const removed = call('DELETE', `${queue}/${first.data.id}`, { as })
    await untilWaiting(sql, 1)
    const consumed = call('POST', `${queue}/consume`, { as })
    await untilWaiting(sql, 2)
    return { removed, consumed }
  })
  expect((await asking.removed).status).toBe(204)
  const { status, body } = await asking.consumed
  expect([status, body.data?.message.text]).toEqual([202, 'Second'])
  await over(body.data.generation.id)
})

test('a skill that is deleted while an answer is made costs the call, not the answer', async () => {
  const content = '---\nname: gift-wrap\ndescription: How gifts are wrapped\n---\n\n# Gift wrap\n'
  const skill = (await ok('POST', '/v1/chat/skills', { as, body: { storeId: main.storeId, content } })).data
  const { complete } = modelSource
  Object.assign(modelSource, {
    complete: async (...given: Parameters<typeof complete>) => {
      await sql`delete from chat_skills where id = ${skill.id}`
      return complete(...given)
    },
  })
  const id = await conversation()
  const generation = await over(await say(id, 'call load_skill {"name":"gift-wrap"}'))
  Object.assign(modelSource, { complete })
  expect([generation.state, generation.problem]).toEqual(['completed', null])
  expect((await messagesOf(id)).find(({ role }) => role === 'tool')).toMatchObject({ failed: true })
})

test('a call whose answer was taken away, or is on another branch, is not told to a model: it would want it answered', async () => {
  const id = await conversation()
  await over(await say(id, 'call search_orders {}'))
  const [, called, answer] = (await messagesOf(id)) as (Said & { id: string })[]
  const told: string[][] = []
  const { complete } = modelSource
  Object.assign(modelSource, {
    complete(...given: Parameters<typeof complete>) {
      told.push(given[3].messages.map((message) => ('toolCalls' in message ? 'calls' : message.role)))
      return complete(...given)
    },
  })
  const body = { text: 'And now?', parentId: called?.id }
  await over((await ok('POST', `${PATH}/${id}/messages`, { as, body })).data.generation.id)
  expect((await call('DELETE', `${PATH}/${id}/messages/${answer?.id}`, { as })).status).toBe(204)
  await ok('PATCH', `${PATH}/${id}`, { as, body: { leafId: called?.id } })
  await over(await say(id, 'And then?'))
  Object.assign(modelSource, { complete })
  expect(told).toEqual([
    ['system', 'user', 'user'],
    ['system', 'user', 'user'],
  ])
})

test('so many streams are open for a person at once, and one that is let go makes room', async () => {
  const id = await conversation()
  const generation = await say(id, 'HANG on')
  const listen = () =>
    app.handle(
      new Request(`http://localhost/v1/chat/generations/${generation}`, {
        headers: { authorization: `Bearer ${as}`, accept: 'text/event-stream' },
      }),
    )
  const answers = await Promise.all(Array.from({ length: 24 }, listen))
  expect(answers.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(4)
  await answers.find(({ status }) => status === 200)?.body?.cancel()
  const later = await listen()
  expect(later.status).toBe(200)
  await ok('POST', `/v1/chat/generations/${generation}/cancel`, { as })
  await Promise.all([...answers, later].map(({ body }) => (body?.locked ? null : body?.cancel())))
  // What is over is let go by itself.
  for (let at = 0; at < 30; at += 1) expect(await (await listen()).text()).toContain('event: end')
})

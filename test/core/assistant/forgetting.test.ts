import { expect, test } from 'bun:test'
import { deleteExpiredGenerations as forgetAnswers } from '../../../core/assistant/chat/delete-expired.ts'
import { modelSource } from '../../../core/assistant/chat/generation/source.ts'
import { deleteExpiredProposals as forgetProposals } from '../../../core/assistant/tools/delete-expired.ts'
import type { Message } from '../../../plugins/model/model.ts'
import { until } from '../../support/until.ts'
import { startChat } from './chat-support.ts'

const { ok, call, sql, main, as, context } = await startChat()
const { data: product } = await ok('POST', '/v1/products', { as, body: { storeId: main.storeId, name: 'Lamp', price: 1000 } })
const { data: conversation } = await ok('POST', '/v1/chat/conversations', { as, body: { storeId: main.storeId } })
const path = `/v1/chat/conversations/${conversation.id}`

async function say(text: string) {
  const { generation } = (await ok('POST', `${path}/messages`, { as, body: { text } })).data
  const { messages } = await until(async () => {
    const { data } = await ok('GET', path, { as })
    return data.generationId === null ? data : null
  })
  return { generationId: generation.id as string, messages: messages as { proposalId: string | null }[] }
}
const propose = (price: number) => say(`call propose_product_change ${JSON.stringify({ productId: product.id, change: { price } })}`)
const proposed = ({ messages }: Awaited<ReturnType<typeof say>>) => messages.findLast(({ proposalId }) => proposalId)?.proposalId
const read = async (what: string) => (await call('GET', `/v1/chat/${what}`, { as })).status
const { signal } = new AbortController()

test('retention: proposals and generation details are deleted after 30 days, and messages stay', async () => {
  const [old, fresh] = [await propose(1200), await propose(1300)]
  const [forgotten, kept] = [proposed(old), proposed(fresh)]
  await sql`insert into chat_proposals (project_id, id, user_id, generation_id, tool, thing, arguments, before, after, created_at)
    select project_id, 'prp_' || n, user_id, generation_id, tool, thing, '{}', '{}', '{}', now() - interval '31 days'
    from chat_proposals, generate_series(1, 1200) n where id = ${forgotten!}`
  await ok('POST', `/v1/chat/proposals/${kept}/confirm`, { as })
  await sql`update chat_proposals set created_at = now() - interval '31 days'`
  await sql`update chat_generations set ended_at = now() - interval '31 days' where id = ${old.generationId}`
  await sql`update chat_generations set ended_at = now() - interval '2 days' where id = ${fresh.generationId}`
  await forgetAnswers(context, signal)
  await forgetProposals(context, signal)
  expect([await read(`proposals/${forgotten}`), await read(`generations/${old.generationId}`)]).toEqual([404, 404])
  expect([await read(`proposals/${kept}`), await read(`generations/${fresh.generationId}`)]).toEqual([200, 200])
  expect((await sql`select 1 from chat_proposals`).length).toBe(1)
  expect((await sql`select 1 from chat_generation_parts`).length).toBe(0)
  expect((await ok('GET', path, { as })).data.messages).toHaveLength(fresh.messages.length)
})

test('retention: a model is told that a deleted proposal no longer waits', async () => {
  let told: readonly Message[] = []
  Object.assign(modelSource, {
    async complete(_: unknown, __: unknown, ___: unknown, { messages }: { messages: Message[] }) {
      told = messages
      return { text: 'Done.', toolCalls: [], reason: 'stop', usage: {} }
    },
  })
  await say('And now?')
  const states = told.flatMap((message) => (message.role === 'tool' ? [JSON.parse(message.text).data.state] : []))
  expect(states).toEqual([expect.stringContaining('no longer known'), 'confirmed'])
})

import { afterAll, expect, test } from 'bun:test'
import { connectPool } from '../../../core/data/sql.ts'
import { byTheClock } from '../../support/clock.ts'
import { ownPostgres } from '../../support/postgres.ts'
import { type ServerProcess, spawnServer } from '../../support/process.ts'
import { until } from '../../support/until.ts'
import { eventsIn } from './chat-support.ts'

/** Words that take some seconds, since the model pauses between them. */
const LONG = Array.from({ length: 60 }, (_, at) => `mot${at}`).join(' ')

const database = await ownPostgres()
const environment = {
  DATABASE_URL: database.url,
  ADAPTER_APPROVAL: 'auto',
  ADAPTER_ISOLATION: 'none',
  DATABASE_POOL: '5',
  WORKER_CONCURRENCY: '4',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
}
const sql = connectPool({ url: database.url }, 1)
const one = await spawnServer(environment)
const [{ number }] = await sql<[{ number: number }]>`select number from processes`
const other = await spawnServer(environment)
afterAll(async () => {
  await Promise.all([one.kill(), other.kill()])
  await sql.end()
  await database.stop('immediate')
})

let token = ''
async function ask(server: ServerProcess, method: string, path: string, body?: object) {
  const answer = await fetch(server.url + path, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return JSON.parse(text).data
}
const listen = (server: ServerProcess, id: string, after = 0) =>
  fetch(`${server.url}/v1/chat/generations/${id}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'last-event-id': String(after) },
  })

const signedUp = await ask(one, 'POST', '/v1/users/auth/signup', { name: 'Owner', email: 'owner@example.dz', password: 'correct horse' })
token = signedUp.token
const store = await ask(one, 'POST', '/v1/stores', { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' })
await ask(one, 'PUT', `/v1/stores/${store.id}/integrations/sandbox-model`, { enabled: true, credentials: {}, settings: { pauseMs: 100 } })

async function begin(text: string) {
  const conversation = await ask(one, 'POST', '/v1/chat/conversations', { storeId: store.id })
  const { generation } = await ask(one, 'POST', `/v1/chat/conversations/${conversation.id}/messages`, { text })
  return { conversationId: conversation.id as string, id: generation.id as string }
}
/** As a rule it makes what it was asked for, but the other may look for work before it begins. */
async function begunByOne(text: string) {
  for (;;) {
    const begun = await begin(text)
    const [{ process }] = await until(async () => {
      const rows = await sql<[{ process: number | null }]>`select process from chat_generations where id = ${begun.id}`
      return rows[0].process === null ? null : rows
    }, 5_000)
    if (process === number) return begun
    await ask(other, 'POST', `/v1/chat/generations/${begun.id}/cancel`)
  }
}
const over = (server: ServerProcess, id: string) =>
  until(async () => {
    const generation = await ask(server, 'GET', `/v1/chat/generations/${id}`)
    return generation.state === 'running' ? null : generation
  }, 15_000)

test('an answer that one process makes is streamed by another, whole', async () => {
  const { conversationId, id } = await begunByOne(LONG)
  let [text, after] = ['', 0]
  for await (const event of eventsIn(await listen(other, id))) {
    if (event.id === undefined) continue
    expect(event.id).toBe(after + 1)
    after = event.id
    if (event.event === 'text') text += event.data.text
  }
  const { messages } = await ask(other, 'GET', `/v1/chat/conversations/${conversationId}`)
  expect(text).toBe(messages[1].text)
  expect(text).toContain(LONG)
}, 30_000)

test('an answer that one process makes is cancelled by another', { ...byTheClock, timeout: 30_000 }, async () => {
  const { id } = await begunByOne(LONG)
  await Bun.sleep(600)
  await ask(other, 'POST', `/v1/chat/generations/${id}/cancel`)
  const asked = performance.now()
  expect(await over(other, id)).toMatchObject({ state: 'cancelled' })
  expect(performance.now() - asked).toBeLessThan(3_000)
})

test('chat: an answer of a killed process ends with a reason and its streamed text; a queued prompt starts again', {
  ...byTheClock,
  timeout: 60_000,
}, async () => {
  const { conversationId, id } = await begunByOne(LONG)
  const silent = await begin('HANG on')
  let [text, after] = ['', 0]
  for await (const event of eventsIn(await listen(one, id))) {
    after = event.id ?? after
    if (event.event === 'text') text += event.data.text
    if (text.length > 60) break
  }
  await one.kill()
  const killed = performance.now()
  let last: { event: string; data: { state: string; reason: string } } | undefined
  for await (const event of eventsIn(await listen(other, id, after))) {
    if (event.event === 'text') text += event.data.text
    last = event
  }
  expect(performance.now() - killed).toBeLessThan(10_000)
  expect(last).toMatchObject({ event: 'end', data: { state: 'failed', reason: 'interrupted' } })
  const { messages } = await ask(other, 'GET', `/v1/chat/conversations/${conversationId}`)
  expect(messages[1].text).toBe(text)
  // It hangs there as it did here, until it is cancelled.
  expect(await ask(other, 'GET', `/v1/chat/generations/${silent.id}`)).toMatchObject({ state: 'running' })
  await ask(other, 'POST', `/v1/chat/generations/${silent.id}/cancel`)
  expect(await over(other, silent.id)).toMatchObject({ state: 'cancelled' })
})

import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type Connection, connectPool } from '../../core/data/sql.ts'
import { priceOf, startCountingServer } from '../adapters/model/counting-server.ts'
import { ended, type Ok, rich, says, wrongIn } from '../core/assistant/tasks-support.ts'
import { connectionUrl } from '../support/database.ts'
import { insist, spawnServer } from '../support/process.ts'
import { inParallel } from '../support/storefront.ts'
import { often } from '../support/thorough.ts'
import { untilValue } from '../support/until.ts'

/** More with the variable. */
const TASKS = Number(process.env.AI_TASKS ?? 60)
const KILLS = often({ quick: 2, thorough: 3 })
const WIDTH = 16
const WITHIN_MS = 60_000 + TASKS * 300
const CREDIT = '10'

/** In each twenty one answer is lost on the way, and one is none at all; twenty by twenty they go to the one and to the other. */
const IN_TURN = 20
const fate = (task: string) => {
  const at = Number(task.split(' ')[1]) % IN_TURN
  return at === 3 ? ('lost' as const) : at === 11 ? ('broken' as const) : undefined
}
const writer = { id: 'maker/writer', name: 'Writer', architecture: { input_modalities: ['text'], output_modalities: ['text'] } }
const pricing = { prompt: '0.00000025', completion: '0.000002' }
const router = startCountingServer({ root: '/api/v1', key: 'sk-or-counted', models: { data: [{ ...writer, pricing }] }, fate })
const openai = startCountingServer({ root: '/v1', key: 'sk-counted', models: { data: [{ id: 'gpt-small' }] }, fate })
const sources = [
  { model: 'openrouter/maker/writer', server: router, finds: true },
  { model: 'openai/gpt-small', server: openai, finds: false },
] as const

const given = await connectionUrl()
const server = await spawnServer({ ...given, SIMULATORS: `openrouter.ai=${router.url},api.openai.com=${openai.url}` })
const connection: Connection = given.DATABASE_URL
  ? { url: given.DATABASE_URL }
  : { socketDir: join(server.dataDir, 'postgres'), port: 5432, user: 'serai', database: 'postgres' }
afterAll(async () => {
  await server.stop()
  await Promise.all([router.stop(), openai.stop()])
})

const ok: Ok = async (method, path, { as, body, headers } = {}) => {
  const answer = await insist(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as}` }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

async function project(): Promise<string> {
  const signUp = { name: 'Owner', email: 'owner@example.dz', password: 'correct horse' }
  const { data: owner } = await ok('POST', '/v1/users/auth/signup', { body: signUp })
  const { data: store } = await ok('POST', '/v1/stores', {
    as: owner.token,
    body: { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' },
  })
  const { data } = await ok('POST', `/v1/stores/${store.id}/ensure-project`, { as: owner.token })
  const connects = (slug: string, apiKey: string, settings: object) =>
    ok('PUT', `/v1/platform/integrations/${slug}`, { as: owner.token, body: { enabled: true, credentials: { apiKey }, settings } })
  await connects('openrouter', 'sk-or-counted', {})
  await connects('openai', 'sk-counted', { prices: 'gpt-small 0.25 2' })
  await rich(ok, owner.token, { owner, projectId: data.id }, CREDIT)
  const body = { name: 'ai', scopes: ['ai:read', 'ai:generate'] }
  return (await ok('POST', `/v1/projects/${data.id}/api-keys`, { as: owner.token, body })).data.key
}

const sourceOf = (at: number) => sources[Math.floor(at / IN_TURN) % sources.length]!
const seen = () => router.requests.length + openai.requests.length

/** Each time so much more has been asked for, in the midst of it. */
async function killInTheMidst() {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = Math.floor((TASKS * kill) / (KILLS + 2))
    await untilValue(seen, (asked) => asked >= enough, WITHIN_MS)
    await server.kill()
    await server.start()
  }
}

interface Kept {
  readonly id: string
  readonly words: string
  readonly state: string
  readonly reason: string | null
  readonly generation: string | null
  readonly charged: string | null
  readonly settlements: number
}
const ALLOWED = ['completed', 'failed answer_lost', 'failed unavailable', 'reconciliation_required outcome_unknown']

test(
  'a model server that loses answers, and a server that is killed: what was billed is what was done, once',
  async () => {
    const as = await project()
    const began = performance.now()
    const make = async (at: number): Promise<string> => {
      const body = { model: sourceOf(at).model, input: says(`task ${at}`) }
      return (await ok('POST', '/v1/ai/tasks', { as, body, headers: { 'idempotency-key': `task-${at}` } })).data.id
    }
    const [ids] = await Promise.all([
      inParallel(
        Array.from({ length: TASKS }, (_, at) => at),
        WIDTH,
        make,
      ),
      killInTheMidst(),
    ])
    expect(new Set(ids).size).toBe(TASKS)
    await ended(ok, as, ids, WITHIN_MS)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)

    const sql = connectPool(connection, 1)
    const tasks = await sql<Kept[]>`select id, input->'messages'->0->>'text' as words, state, reason, generation, charged::text,
    (select count(*)::int from ai_entries e where e.task_id = t.id and kind = 'settlement') as settlements from ai_tasks t`
    const wrong = await wrongIn(sql).finally(() => sql.end())
    const counts = Object.fromEntries(
      [...Map.groupBy(tasks, ({ state, reason }) => `${state} ${reason ?? ''}`.trim())].map(([how, some]) => [how, some.length]),
    )
    process.stdout.write(`${TASKS} tasks in ${seconds} s, ${seen()} requests: ${JSON.stringify(counts)}\n`)

    expect(wrong).toEqual([])
    expect(tasks).toHaveLength(TASKS)
    expect(Object.keys(counts).filter((how) => !ALLOWED.includes(how))).toEqual([])
    expect(counts.completed).toBeGreaterThan(TASKS * 0.6)
    for (const task of tasks) agrees(task)
    for (const { server } of sources) {
      expect(new Set(server.requests).size).toBe(server.requests.length)
      // Whatever was worked at is paid for by its own task, or waits with it.
      const paid = new Set(
        tasks.filter(({ state, charged }) => state === 'reconciliation_required' || Number(charged) > 0).map(({ words }) => words),
      )
      expect([...server.booked.values()].filter(({ task }) => !paid.has(task))).toEqual([])
    }
  },
  120_000 + WITHIN_MS,
)

/** What one task was billed, beside what the model server did for it. */
function agrees({ words, state, reason, generation, charged, settlements }: Kept) {
  const { server, finds } = sourceOf(Number(words.split(' ')[1]))
  const isWaiting = state === 'reconciliation_required'
  expect([words, settlements, charged === null]).toEqual([words, isWaiting ? 0 : 1, isWaiting])
  // Who can be asked what became of it was asked.
  if (isWaiting) return expect([words, finds && generation !== null]).toEqual([words, false])
  if (reason === 'unavailable') return expect([words, Number(charged), server.requests.includes(words)]).toEqual([words, 0, false])
  const done = server.booked.get(generation ?? '')
  expect([done?.task, Number(charged)]).toEqual([words, priceOf(generation ?? '')])
  if (state === 'completed') expect([words, done?.isLost]).toEqual([words, false])
  else expect([words, finds]).toEqual([words, true])
}

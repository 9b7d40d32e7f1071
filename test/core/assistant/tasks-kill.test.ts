import { afterAll, expect, test } from 'bun:test'
import { insist, spawnServer } from '../../support/process.ts'
import { random } from '../../support/random.ts'
import { connectModels, ended, type Ok, rich, says, WRITER } from './tasks-support.ts'

const TASKS = 40
const KILLS = 3

const server = await spawnServer()
afterAll(() => server.kill({ database: true }))

const ok: Ok = async (method, path, { as, body, headers } = {}) => {
  const answer = await insist(server.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(as && { authorization: `Bearer ${as}` }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

test('a server that is killed again and again: each task is done and billed once, or waits with its reason', async () => {
  const signUp = { name: 'Owner', email: 'owner@example.dz', password: 'correct horse' }
  const { data: owner } = await ok('POST', '/v1/users/auth/signup', { body: signUp })
  const store = { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' }
  const { data } = await ok('POST', '/v1/stores', { as: owner.token, body: store })
  const { data: project } = await ok('POST', `/v1/stores/${data.id}/ensure-project`, { as: owner.token })
  const scopes = ['ai:read', 'ai:generate']
  const { data: key } = await ok('POST', `/v1/projects/${project.id}/api-keys`, { as: owner.token, body: { name: 'ai', scopes } })
  await connectModels(ok, owner.token, { pauseMs: 40 })
  await rich(ok, owner.token, { owner, projectId: project.id }, '1')
  const as = key.key

  const make = async (at: number): Promise<string> => {
    const body = { model: WRITER, input: says(`task ${at} of those that are told to a server which is killed`) }
    return (await ok('POST', '/v1/ai/tasks', { as, body, headers: { 'idempotency-key': `task-${at}` } })).data.id
  }
  const making = Promise.all(Array.from({ length: TASKS }, (_, at) => make(at)))
  const dice = random(7)
  for (let kill = 0; kill < KILLS; kill += 1) {
    await Bun.sleep(700 + dice(1_500))
    await server.kill()
    await server.start()
  }
  const ids = await making
  expect(new Set(ids).size).toBe(TASKS)
  const tasks = await ended(ok, as, ids, 120_000)

  const by = Map.groupBy(tasks, ({ state, reason }) => `${state} ${reason ?? ''}`.trim())
  const counts = Object.fromEntries([...by].map(([how, some]) => [how, some.length]))
  const allowed = ['completed', 'failed answer_lost', 'reconciliation_required outcome_unknown']
  expect(Object.keys(counts).filter((how) => !allowed.includes(how))).toEqual([])
  expect(counts.completed).toBeGreaterThan(TASKS / 2)
  for (const { state, result, usage, charged } of tasks) {
    expect([result !== null, charged !== null]).toEqual([state === 'completed', state !== 'reconciliation_required'])
    if (charged !== null) expect(Number(charged)).toBeCloseTo(usage.inputTokens * 1e-6 + usage.outputTokens * 2e-6, 12)
  }
  const micro = (amount: number | null) => Math.round((amount ?? 0) * 1e6)
  const [{ available, held }] = (await ok('GET', '/v1/ai/balance', { as })).data
  const charged = tasks.reduce((sum, task) => sum + micro(task.charged), 0)
  const waiting = tasks.reduce((sum, task) => sum + (task.charged === null ? micro(task.hold) : 0), 0)
  expect([micro(available) + micro(held), micro(held)]).toEqual([1_000_000 - charged, waiting])
  process.stdout.write(`${JSON.stringify(counts)}\n`)
}, 300_000)

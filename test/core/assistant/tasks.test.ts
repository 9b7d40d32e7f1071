import { describe, expect, test } from 'bun:test'
import { deleteExpiredTaskContents } from '../../../core/assistant/tasks/delete-expired.ts'
import { runTask } from '../../../core/assistant/tasks/run/run-task.ts'
import { startApp } from '../../support/app.ts'
import { random } from '../../support/random.ts'
import { receiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'
import { connectModels, ended, rich, says, WRITER, wrongIn } from './tasks-support.ts'

const app = await startApp()
const { call, ok, context } = app
const { sql } = context
const admin = await app.person('The administrator')
const main = await app.shop()
const other = await app.shop()
await connectModels(ok, admin.token)
await rich(ok, admin.token, main, '10')
await rich(ok, admin.token, other, null)
const as = main.key

const make = async (input: object, more: object = {}) =>
  (await ok('POST', '/v1/ai/tasks', { as, body: { model: WRITER, input, ...more } })).data
const balance = async (key = as) => (await ok('GET', '/v1/ai/balance', { as: key })).data
const done = async (input: object, more: object = {}) => (await ended(ok, as, [(await make(input, more)).id]))[0]
const code = async (method: string, path: string, options: Parameters<typeof call>[2] = {}) => {
  const { status, body } = await call(method, path, options)
  return [status, body.error?.code]
}

describe('a task', () => {
  test('writes, and is charged by what was counted', async () => {
    const { status, body } = await call('POST', '/v1/ai/tasks', {
      as,
      body: { model: WRITER, input: says('Good morning'), maxCost: 1, metadata: { for: 'me' } },
    })
    expect([status, body.data.state, body.data.charged, body.data.maxCost, body.data.metadata]).toEqual([
      202,
      'queued',
      null,
      1,
      { for: 'me' },
    ])
    const [task] = await ended(ok, as, [body.data.id])
    expect(task).toMatchObject({ state: 'completed', reason: null, result: { text: 'You said: Good morning', ending: 'stop', files: [] } })
    expect(task.usage).toEqual({ inputTokens: 3, outputTokens: 6 })
    expect([task.cost, task.charged]).toEqual([0.000015, 0.000015])
    expect(await balance()).toEqual([{ currency: 'USD', available: 9.999985, held: 0 }])
  })

  test('draws, and speaks: what was made is kept as files', async () => {
    const drawn = await done({ type: 'image', prompt: 'a lamp', size: 'landscape', count: 2 }, { model: 'sandbox-model/painter' })
    expect([drawn.state, drawn.charged, drawn.result.files.length, drawn.result.text]).toEqual(['completed', 0.02, 2, null])
    const file = drawn.result.files[0]
    expect([file.contentType, file.width, file.height]).toEqual(['image/png', 144, 96])
    const shown = await app.handle(new Request(`http://localhost${file.url}`))
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    const spoken = await done({ type: 'speech', text: 'Hello', voice: 'low' }, { model: 'sandbox-model/speaker' })
    expect([spoken.state, spoken.charged]).toEqual(['completed', 0.00005])
    expect((await app.handle(new Request(`http://localhost${spoken.result.files[0].url}`))).status).toBe(200)
    // No list and no route of people's files leads to them.
    for (const key of [as, other.key, main.owner.token])
      expect(await code('GET', `/v1/files/${file.id}`, { as: key })).toEqual([404, 'not_found'])
  })

  test('that is refused costs nothing; one whose answer is lost costs what was counted', async () => {
    const refused = await done(says('FAIL not today'))
    expect(refused).toMatchObject({ state: 'failed', reason: 'refused', charged: 0, result: null })
    const lost = await done(says('CUT this answer in the midst'))
    expect(lost).toMatchObject({ state: 'failed', reason: 'answer_lost', charged: lost.cost, result: null })
    expect(Number(lost.charged)).toBeGreaterThan(0)
  })

  test('whose answer ends in the midst of a letter is done all the same', async () => {
    const torn = await done(says(`x${'😀'.repeat(50)}`, { maxTokens: 5 }))
    expect(torn).toMatchObject({ state: 'completed', result: { text: 'You said: x😀😀😀😀', ending: 'length' } })
  })

  test('is listed by state, model and time', async () => {
    const rows = async (query: string) => (await ok('GET', `/v1/ai/tasks?${query}`, { as })).data
    const all = await rows('')
    expect((await rows('state=completed')).length + (await rows('state=failed')).length).toBe(all.length)
    expect((await rows('model=sandbox-model/painter')).map(({ gives }: { gives: string }) => gives)).toEqual(['image'])
    const { createdAt } = all[1]
    expect((await rows(`from=${createdAt}`)).length).toBeGreaterThanOrEqual(2)
    expect(await rows('to=2020-01-01T00:00:00.000Z')).toEqual([])
    expect(all[0].result).toBeUndefined()
    expect((await ok('GET', '/v1/ai/tasks', { as: other.key })).data).toEqual([])
  })

  test('what is asked wrongly is told so', async () => {
    const post = (body: object, key: string | undefined = as) => code('POST', '/v1/ai/tasks', { ...(key && { as: key }), body })
    const good = { model: WRITER, input: says('x') }
    expect(await post({ ...good, model: 'sandbox-model/nobody' })).toEqual([404, 'not_found'])
    expect(await post({ ...good, model: 'sandbox-model/painter' })).toEqual([404, 'not_found'])
    expect(await post({ ...good, callbackUrl: 'https://shop.example' })).toEqual([400, 'invalid_request'])
    expect(await post({ ...good, maxCost: '0.0000001' })).toEqual([400, 'invalid_request'])
    expect(await post({ ...good, maxCost: 1e-7 })).toEqual([400, 'invalid_request'])
    expect(await post({ ...good, maxCost: 1.5e-18 })).toEqual([400, 'invalid_request'])
    expect(await post({ ...good, maxCost: -1 })).toEqual([400, 'invalid_request'])
    expect(await post({ model: 'sandbox-model/speaker', input: { type: 'speech', text: 'x', voice: 'none' } })).toEqual([
      400,
      'invalid_request',
    ])
    expect(await post(good, other.key)).toEqual([402, 'payment_required'])
    // A person names the store whose project is meant.
    expect(await post(good, main.owner.token)).toEqual([400, 'invalid_request'])
    expect((await call('POST', '/v1/ai/tasks', { body: good })).status).toBe(401)
    const [{ id }] = (await ok('GET', '/v1/ai/tasks', { as })).data
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
    ] as const)
      expect(await code(method, `/v1/ai/tasks/${id}${path}`, { as: other.key })).toEqual([404, 'not_found'])
    const credit = { amount: 5, currency: 'USD', note: 'mine' }
    expect(await code('POST', `/v1/admins/projects/${main.projectId}/ai-credit`, { as: main.owner.token, body: credit })).toEqual([
      403,
      'forbidden',
    ])
    expect(await code('POST', '/v1/admins/projects/prj_none/ai-credit', { as: admin.token, body: credit })).toEqual([404, 'not_found'])
    const none = { ...credit, amount: 0 }
    expect(await code('POST', `/v1/admins/projects/${main.projectId}/ai-credit`, { as: admin.token, body: none })).toEqual([
      400,
      'invalid_request',
    ])
  })
})

describe('many tasks at once', () => {
  test('the same key eight times: one task, one hold', async () => {
    const body = { model: WRITER, input: says('once') }
    const send = async (): Promise<{ status: number; id: string }> => {
      for (;;) {
        const answer = await call('POST', '/v1/ai/tasks', { as, body, headers: { 'idempotency-key': 'the-one' } })
        if (answer.status !== 409) return { status: answer.status, id: answer.body.data.id }
        await Bun.sleep(20)
      }
    }
    const answers = await Promise.all(Array.from({ length: 8 }, send))
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(answers.every(({ status }) => status === 202)).toBe(true)
    const id = answers[0]!.id
    await ended(ok, as, [id])
    const entries = await sql<{ kind: string }[]>`select kind from ai_entries where task_id = ${id} order by id`
    expect(entries.map(({ kind }) => kind)).toEqual(['hold', 'settlement'])
  })

  test('with a balance for twenty, exactly twenty of fifty tasks run', async () => {
    const poor = await app.shop()
    // Each is held in full: a picture has one price.
    await rich(ok, admin.token, poor, '0.2')
    const body = { model: 'sandbox-model/painter', input: { type: 'image', prompt: 'HANG x' } }
    const answers = await Promise.all(Array.from({ length: 50 }, () => call('POST', '/v1/ai/tasks', { as: poor.key, body })))
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(20)
    expect(answers.filter(({ status, body }) => status === 402 && body.error.code === 'payment_required')).toHaveLength(30)
    expect(await balance(poor.key)).toEqual([{ currency: 'USD', available: 0, held: 0.2 }])
    const ids = answers.flatMap(({ status, body }) => (status === 202 ? [body.data.id as string] : []))
    for (const id of ids) await ok('POST', `/v1/ai/tasks/${id}/cancel`, { as: poor.key })
    const tasks = await ended(ok, poor.key, ids)
    // Of those that were being drawn nobody knows: their money waits with them.
    const doubtful = tasks.filter(({ state }) => state === 'reconciliation_required')
    expect(tasks.every(({ state }) => ['cancelled', 'reconciliation_required'].includes(state))).toBe(true)
    expect((await balance(poor.key))[0].held).toBe(doubtful.length / 100)
    expect(await wrongIn(sql)).toEqual([])
  }, 90_000)

  test('of cancelling, doing and ending one happens, and the books agree', async () => {
    const dice = random(60)
    const ids = await Promise.all(Array.from({ length: 40 }, async (_, at) => (await make(says(`race ${at}`))).id as string))
    const answers = await Promise.all(
      ids.flatMap((id) =>
        [0, 1].map(async () => {
          await Bun.sleep(dice(300))
          return call('POST', `/v1/ai/tasks/${id}/cancel`, { as })
        }),
      ),
    )
    expect(answers.every(({ status, body }) => status === 200 || body.error.code === 'invalid_transition')).toBe(true)
    const tasks = await ended(ok, as, ids)
    for (const { state, charged, result } of tasks)
      expect([state === 'completed', result !== null]).toEqual([Number(charged) > 0, Number(charged) > 0])
    // A second run changes nothing.
    await Promise.all(ids.map((taskId) => runTask(context, taskId, new AbortController().signal)))
    expect(await ended(ok, as, ids)).toEqual(tasks)
    expect(await wrongIn(sql)).toEqual([])
  }, 60_000)
})

describe('a task with an unknown outcome', () => {
  test('waits for a person, who settles it once; who subscribed is told, without any result', async () => {
    const hook = receiver()
    const path = '/v1/webhook-endpoints'
    await ok('POST', path, {
      as,
      body: { url: hook.url, events: ['ai.task.completed', 'ai.task.failed', 'ai.task.reconciliation_required'] },
    })
    const hanging = await make(says('HANG for ever'), { metadata: { order: '7' } })
    await until(async () => (await sql`select 1 from ai_tasks where id = ${hanging.id} and generation is not null`).length > 0)
    expect((await ok('POST', `/v1/ai/tasks/${hanging.id}/cancel`, { as })).data).toMatchObject({ state: 'running' })
    const [doubtful] = await ended(ok, as, [hanging.id])
    expect(doubtful).toMatchObject({ state: 'reconciliation_required', reason: 'cancelled_midway', charged: null })
    const waiting = (await ok('GET', '/v1/admins/ai-tasks', { as: admin.token })).data
    expect(waiting.map(({ id }: { id: string }) => id)).toContain(hanging.id)
    const settle = (charged: number | string, key = admin.token) =>
      call('POST', `/v1/admins/ai-tasks/${hanging.id}/settle`, { as: key, body: { charged, note: 'as their bill has it' } })
    expect((await settle(0, main.owner.token)).status).toBe(403)
    expect((await settle(5)).body.error.code).toBe('amount_not_payable')
    const both = await Promise.all([settle(0.000002), settle('0.000001')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await ended(ok, as, [hanging.id]))[0]).toMatchObject({ state: 'cancelled', reason: 'settled' })
    const fine = await done(says('a secret answer'))
    const refused = await done(says('FAIL no'))
    const got = await hook.got(3)
    expect(Object.fromEntries(got.map(({ event }) => [event.data.task.id, event.type]))).toEqual({
      [hanging.id]: 'ai.task.reconciliation_required',
      [fine.id]: 'ai.task.completed',
      [refused.id]: 'ai.task.failed',
    })
    expect(got.every(({ raw }) => !raw.includes('secret') && !raw.includes('result'))).toBe(true)
    expect(got.find(({ event }) => event.data.task.id === hanging.id)?.event.data.task.metadata).toEqual({ order: '7' })
    expect(await wrongIn(sql)).toEqual([])
  }, 60_000)

  /** As a process left it that was killed, or that has not taken it up yet. */
  async function left(state: 'queued' | 'running', connectionId: string | null = null): Promise<string> {
    const { id: from } = await make(says('never twice'))
    await ended(ok, as, [from])
    const id = `ait_${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}`
    await sql`insert into ai_tasks (project_id, id, state, model, connection_id, gives, input, currency, hold, sent_at)
      select project_id, ${id}, ${state}, model, coalesce(${connectionId}, connection_id), gives, input, currency, hold, now() from ai_tasks where id = ${from}`
    await sql`insert into ai_entries (project_id, currency, kind, task_id, available, held)
      select project_id, currency, 'hold', id, -hold, hold from ai_tasks where id = ${id}`
    await sql`update ai_accounts a set available = available - t.hold, held = held + t.hold from ai_tasks t
      where t.id = ${id} and a.project_id = t.project_id`
    return id
  }
  const run = (id: string) => runTask(context, id, new AbortController().signal)

  test('a task that was sent by a process that is gone is not sent again', async () => {
    const id = await left('running')
    await Promise.all([run(id), run(id)])
    const [found] = await ended(ok, as, [id])
    expect(found).toMatchObject({ state: 'reconciliation_required', reason: 'outcome_unknown', result: null, usage: null })
    expect(await wrongIn(sql)).toEqual([])
  })

  test('a task that nobody was asked for waits on, where its process ends or its database is away at that moment', async () => {
    const [ending, away] = [await left('queued'), await left('queued')]
    await runTask(context, ending, AbortSignal.abort())
    const failing = new Proxy(sql, {
      apply(query, self, given) {
        const [strings] = given as [unknown]
        if (Array.isArray(strings) && strings.join(' ').includes('from integrations')) throw new Error('The database is away.')
        return Reflect.apply(query, self, given)
      },
    })
    await runTask(Object.assign(Object.create(context), { sql: failing }), away, new AbortController().signal)
    for (const id of [ending, away])
      expect(await sql<object[]>`select state, sent_at, attempts from ai_tasks where id = ${id}`).toMatchObject([
        { state: 'queued', sentAt: null, attempts: 1 },
      ])
    expect((await ended(ok, as, [ending, away])).map(({ state }) => state)).toEqual(['completed', 'completed'])
    expect(await wrongIn(sql)).toEqual([])
  })

  test('what nobody was asked for waits, and comes to nothing after some tries', async () => {
    const id = await left('queued', 'itg_gone')
    await run(id)
    const read = async () => (await ok('GET', `/v1/ai/tasks/${id}`, { as })).data
    expect(await read()).toMatchObject({ state: 'queued', charged: null })
    expect(await sql<object[]>`select sent_at, attempts from ai_tasks where id = ${id}`).toMatchObject([{ sentAt: null, attempts: 1 }])
    await sql`update ai_tasks set attempts = 5 where id = ${id}`
    await run(id)
    expect(await read()).toMatchObject({ state: 'failed', reason: 'not_connected', charged: 0 })
    expect(await wrongIn(sql)).toEqual([])
  })
})

test('tasks: inputs and answers are deleted after their retention, and costs stay', async () => {
  const drawn = await done({ type: 'image', prompt: 'old' }, { model: 'sandbox-model/painter' })
  await sql`update ai_tasks set ended_at = now() - interval '31 days' where id = ${drawn.id}`
  await deleteExpiredTaskContents(context, new AbortController().signal)
  expect((await ok('GET', `/v1/ai/tasks/${drawn.id}`, { as })).data).toMatchObject({ state: 'completed', charged: 0.01, result: null })
  expect((await call('GET', `/v1/files/${drawn.result.files[0].id}/content`)).status).toBe(404)
  expect((await sql`select 1 from ai_tasks where id = ${drawn.id} and input is null`).length).toBe(1)
})

import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { startApp } from '../../support/app.ts'
import { findDifferences } from '../../support/checks.ts'
import { letIn, newApp } from '../../support/oauth.ts'
import { until } from '../../support/until.ts'

const app = await startApp({}, { others: 1 })
const { call, ok, shop, person, context } = app
const { sql } = context
const administrator = await person('The administrator')

const BULK = '/v1/orders/bulk'
let phones = 0

async function stocked() {
  const on = await shop()
  const { data } = await ok('POST', '/v1/products', {
    as: on.key,
    body: { storeId: on.storeId, name: 'Basket', price: 1000, initialStock: 1000 },
  })
  await ok('PUT', `/v1/stores/${on.storeId}/integrations/sandbox`, {
    as: on.owner.token,
    body: { enabled: true, credentials: {}, settings: {} },
  })
  const place = async (name = 'Lina') => {
    const body = {
      storeId: on.storeId,
      customer: { name, phone: `0550${String(++phones).padStart(6, '0')}` },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'cité', deliveryType: 'home' },
      items: [{ productId: data.id, quantity: 1 }],
    }
    return (await ok('POST', '/v1/orders', { as: on.key, body })).data.id as string
  }
  const placeMany = async (count: number) => {
    const ids: string[] = []
    for (let at = 0; at < count; at += 1) ids.push(await place())
    return ids
  }
  const start = async (body: object, as = on.key) => (await ok('POST', BULK, { as, body: { storeId: on.storeId, ...body } })).data
  const read = async (id: string) => (await ok('GET', `${BULK}/${id}`, { as: on.key })).data
  const finished = (id: string) => until(async () => ((await read(id)).status === 'completed' ? read(id) : undefined))
  const rows = async (id: string, query = '') => (await ok('GET', `${BULK}/${id}/rows?limit=100${query}`, { as: on.key })).data
  const statuses = async () =>
    Object.fromEntries(
      (await sql<{ id: string; status: string }[]>`select id, status from orders where project_id = ${on.projectId}`).map(
        ({ id, status }) => [id, status],
      ),
    )
  return { ...on, place, placeMany, start, read, finished, rows, statuses }
}
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]

describe('a job on many orders', () => {
  test('confirms all that match its filter, and only those that matched when it was asked for', async () => {
    const on = await stocked()
    const ids = await on.placeMany(7)
    const [first = ''] = ids
    await ok('PATCH', `/v1/orders/${first}`, { as: on.key, body: { status: 'cancelled' } })
    const answer = await call('POST', BULK, {
      as: on.key,
      body: { storeId: on.storeId, filter: { status: 'pending' }, action: { type: 'confirm', reason: 'By phone' } },
    })
    expect(answer.status).toBe(202)
    const later = await on.place()
    const job = await on.finished(answer.body.data.id)
    expect(job).toMatchObject({ total: 6, done: 6, failed: 0, waiting: 0, action: { type: 'confirm', reason: 'By phone' } })
    const statuses = await on.statuses()
    expect(statuses[first]).toBe('cancelled')
    expect(statuses[later]).toBe('pending')
    expect(ids.slice(1).every((id) => statuses[id] === 'confirmed')).toBe(true)
    const { history } = (await ok('GET', `/v1/orders/${ids[1]}`, { as: on.key })).data
    expect(history.at(-1)).toMatchObject({ toStatus: 'confirmed', reason: 'By phone', by: { kind: 'key' } })
  })

  test('adds and removes tags, whatever the status is; two jobs at once leave each tag once', async () => {
    const on = await stocked()
    const ids = await on.placeMany(6)
    await ok('PATCH', `/v1/orders/${ids[0]}`, { as: on.key, body: { status: 'cancelled' } })
    const tag = (action: object) => on.start({ ids, action: { type: 'tag', ...action } })
    const jobs = await Promise.all([tag({ add: ['fragile', 'vip'] }), tag({ add: ['fragile'] })])
    for (const { id } of jobs) expect(await on.finished(id)).toMatchObject({ total: 6, failed: 0 })
    const list = async (query: string) => (await ok('GET', `/v1/orders?storeId=${on.storeId}&${query}`, { as: on.key })).data
    expect((await list('tag=vip')).map(({ tags }: { tags: string[] }) => tags)).toEqual(ids.map(() => ['fragile', 'vip']))
    const removal = await on.start({ filter: { tag: 'vip' }, action: { type: 'tag', remove: ['vip'], add: ['seen'] } })
    expect(await on.finished(removal.id)).toMatchObject({ total: 6, done: 6 })
    expect([await list('tag=vip'), (await list('tag=seen')).length]).toEqual([[], 6])
    const again = await on.start({ ids, action: { type: 'tag', remove: ['vip'] } })
    expect(await on.finished(again.id)).toMatchObject({ done: 0, unchanged: 6 })
    const refused = await call('POST', BULK, { as: on.key, body: { storeId: on.storeId, ids, action: { type: 'tag', add: ['a,b'] } } })
    expect(codeOf(refused)).toEqual([400, 'invalid_request'])
  })

  test('two identical jobs at once change each order once', async () => {
    const on = await stocked()
    const ids = await on.placeMany(12)
    const jobs = await Promise.all([1, 2].map(() => on.start({ filter: {}, action: { type: 'cancel' } })))
    const ended = await Promise.all(jobs.map(({ id }) => on.finished(id)))
    expect(ended.reduce((sum, { done }) => sum + done, 0)).toBe(12)
    expect(ended.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(12)
    const moves = await sql`select 1 from order_status_changes where project_id = ${on.projectId}`
    expect(moves.length).toBe(ids.length)
    expect(await findDifferences(sql)).toEqual([])
  })

  test('leaves an order as it is that somebody changed since, and says so in its row and in a file', async () => {
    const on = await stocked()
    const [one = '', other = ''] = await on.placeMany(2)
    await sql`insert into order_jobs (project_id, id, action, total) values (${on.projectId}, 'obj_held', '{"type":"confirm"}', 3)`
    await sql`insert into order_job_rows (project_id, job_id, row, order_id, seen_status) values
      (${on.projectId}, 'obj_held', 1, ${one}, 'pending'), (${on.projectId}, 'obj_held', 2, ${other}, 'pending'), (${on.projectId}, 'obj_held', 3, 'ord_none', null)`
    await ok('PATCH', `/v1/orders/${one}`, { as: on.key, body: { status: 'cancelled', reason: '=SUM(A1)' } })
    await sql`select graphile_worker.add_job('orders.bulk', ${sql.json({ projectId: on.projectId, jobId: 'obj_held' })}::json)`
    expect(await on.finished('obj_held')).toMatchObject({ done: 1, failed: 2 })
    expect(await on.statuses()).toMatchObject({ [one]: 'cancelled', [other]: 'confirmed' })
    const failed = await on.rows('obj_held', '&status=failed')
    expect(failed.map(({ orderId, error }: { orderId: string; error: { code: string } }) => [orderId, error.code])).toEqual([
      [one, 'conflict'],
      ['ord_none', 'not_found'],
    ])
    const csv = (await call('GET', `${BULK}/obj_held/rows/export.csv?status=failed&language=en`, { as: on.key })).body as string
    expect(csv.trim().split('\r\n').length).toBe(3)
    expect(csv).toContain('conflict')
  })

  test('assigns orders round robin to members who may confirm, and to nobody else', async () => {
    const on = await stocked()
    const ids = await on.placeMany(3)
    const job = await on.start({ ids, action: { type: 'assign', userIds: [on.owner.id] } })
    expect(await on.finished(job.id)).toMatchObject({ done: 3 })
    expect(await on.finished((await on.start({ ids, action: { type: 'assign', userIds: [on.owner.id] } })).id)).toMatchObject({
      unchanged: 3,
    })
    const stranger = await person('Stranger')
    const body = { storeId: on.storeId, ids, action: { type: 'assign', userIds: [stranger.id] } }
    expect(codeOf(await call('POST', BULK, { as: on.key, body }))).toEqual([422, 'unknown_person'])
  })

  test('sends orders, and then prints the labels of those that a carrier has as a job of its own', async () => {
    const on = await stocked()
    const ids = [await on.place(), await on.place('FAIL Lina'), await on.place()]
    const sending = await on.finished(
      (await on.start({ ids, action: { type: 'send', carrierCode: 'sandbox', print: { paper: 'a4' } } })).id,
    )
    expect([sending.done, sending.failed]).toEqual([2, 1])
    const jobs = (await ok('GET', `${BULK}?storeId=${on.storeId}`, { as: on.key })).data
    expect(jobs.map(({ action }: { action: { type: string } }) => action.type)).toEqual(['print', 'send'])
    const printing = await on.finished(jobs[0].id)
    expect(printing).toMatchObject({ action: { type: 'print', paper: 'a4' }, total: 2, done: 2, hasDocument: true })
    expect((await on.rows(printing.id)).map(({ orderId }: { orderId: string }) => orderId)).toEqual([ids[0], ids[2]])
    expect((await call('GET', `${BULK}/${printing.id}/labels.pdf`, { as: on.key })).status).toBe(200)
    const silent = await on.finished((await on.start({ ids: [await on.place()], action: { type: 'send', carrierCode: 'sandbox' } })).id)
    expect((await ok('GET', `${BULK}?storeId=${on.storeId}`, { as: on.key })).data[0].id).toBe(silent.id)
    expect(
      (await call('POST', BULK, { as: on.key, body: { storeId: on.storeId, ids, action: { type: 'send', print: { paper: 'a5' } } } }))
        .status,
    ).toBe(400)
  })

  test('sends orders with a carrier, or with those that the rules choose', async () => {
    const on = await stocked()
    const ids = await on.placeMany(3)
    await on.finished((await on.start({ ids, action: { type: 'confirm' } })).id)
    const [first = '', ...others] = ids
    const job = await on.finished((await on.start({ ids: [first, first], action: { type: 'send', carrierCode: 'sandbox' } })).id)
    expect(job).toMatchObject({ total: 1, done: 1 })
    await on.finished((await on.start({ ids: others, action: { type: 'send' } })).id)
    const again = await on.finished((await on.start({ ids, action: { type: 'send', carrierCode: 'sandbox' } })).id)
    expect(again).toMatchObject({ unchanged: 3, failed: 0 })
    expect((await sql`select 1 from parcels where project_id = ${on.projectId}`).length).toBe(3)
    const none = await on.finished((await on.start({ ids, action: { type: 'send', carrierCode: 'nobody' } })).id)
    expect(none).toMatchObject({ failed: 3 })
  })

  test('a cancelled job leaves the orders that it has not reached', async () => {
    const on = await stocked()
    await on.placeMany(2)
    await sql`insert into order_jobs (project_id, id, action, total) values (${on.projectId}, 'obj_stopped', '{"type":"confirm"}', 2)`
    await sql`insert into order_job_rows (project_id, job_id, row, order_id, seen_status)
      select project_id, 'obj_stopped', row_number() over (), id, status from orders where project_id = ${on.projectId}`
    const { data } = await ok('POST', `${BULK}/obj_stopped/cancel`, { as: on.key })
    expect(data).toMatchObject({ status: 'cancelled', cancelled: 2, waiting: 0 })
    expect((await ok('POST', `${BULK}/obj_stopped/cancel`, { as: on.key })).data).toEqual(data)
    await sql`select graphile_worker.add_job('orders.bulk', ${sql.json({ projectId: on.projectId, jobId: 'obj_stopped' })}::json)`
    await until(async () => (await sql`select 1 from graphile_worker.jobs where task_identifier = 'orders.bulk'`).length === 0)
    expect(Object.values(await on.statuses())).toEqual(['pending', 'pending'])
  })

  test('stops when the member who started it loses the right', async () => {
    const on = await stocked()
    const ids = await on.placeMany(1)
    const stranger = await person('Left')
    await sql`insert into order_jobs (project_id, id, action, total, made_by)
      values (${on.projectId}, 'obj_left', '{"type":"confirm"}', 1, ${sql.json({ kind: 'person', id: stranger.id, appId: null, adminId: null })})`
    await sql`insert into order_job_rows (project_id, job_id, row, order_id, seen_status) values (${on.projectId}, 'obj_left', 1, ${ids[0] ?? ''}, 'pending')`
    await sql`select graphile_worker.add_job('orders.bulk', ${sql.json({ projectId: on.projectId, jobId: 'obj_left' })}::json)`
    expect(await on.finished('obj_left')).toMatchObject({ failed: 1 })
    expect((await on.rows('obj_left'))[0].error.code).toBe('forbidden')
    expect(Object.values(await on.statuses())).toEqual(['pending'])
  })

  test('stops when the API key that started it is revoked', async () => {
    const on = await stocked()
    const [id = ''] = await on.placeMany(1)
    const { data: key } = await ok('POST', `/v1/projects/${on.projectId}/api-keys`, {
      as: on.owner.token,
      body: { name: 'spare', scopes: ['orders:write', 'orders:read'] },
    })
    await ok('DELETE', `/v1/projects/${on.projectId}/api-keys/${key.id}`, { as: on.owner.token })
    await sql`insert into order_jobs (project_id, id, action, total, made_by)
      values (${on.projectId}, 'obj_revoked', '{"type":"cancel"}', 1, ${sql.json({ kind: 'key', id: key.id, appId: null, adminId: null })})`
    await sql`insert into order_job_rows (project_id, job_id, row, order_id, seen_status) values (${on.projectId}, 'obj_revoked', 1, ${id}, 'pending')`
    await sql`select graphile_worker.add_job('orders.bulk', ${sql.json({ projectId: on.projectId, jobId: 'obj_revoked' })}::json)`
    expect(await on.finished('obj_revoked')).toMatchObject({ failed: 1 })
    expect(Object.values(await on.statuses())).toEqual(['pending'])
  })

  /** Stores a job on one order as somebody has started it, and runs it. */
  async function runAs(
    on: Awaited<ReturnType<typeof stocked>>,
    madeBy: object,
    { grantId = null as string | null, type = 'confirm' } = {},
  ) {
    const [id = ''] = await on.placeMany(1)
    const jobId = `obj_${id}`
    await sql`insert into order_jobs (project_id, id, action, total, made_by, grant_id)
      values (${on.projectId}, ${jobId}, ${sql.json({ type })}, 1, ${sql.json({ appId: null, adminId: null, ...madeBy })}, ${grantId})`
    await sql`insert into order_job_rows (project_id, job_id, row, order_id, seen_status) values (${on.projectId}, ${jobId}, 1, ${id}, 'pending')`
    await sql`select graphile_worker.add_job('orders.bulk', ${sql.json({ projectId: on.projectId, jobId })}::json)`
    await on.finished(jobId)
    const [row] = await on.rows(jobId)
    return row.error?.code ?? row.status
  }

  test('stops when the platform administrator who started it, or acted as the one who did, is dismissed', async () => {
    const on = await stocked()
    const second = await person('Second administrator')
    await sql`update users set email_verified = true where id = ${second.id}`
    await ok('POST', '/v1/admins', { as: administrator.token, body: { email: second.email } })
    const own = { kind: 'person', id: second.id }
    const acting = { kind: 'person', id: on.owner.id, adminId: second.id }
    expect([await runAs(on, own), await runAs(on, acting)]).toEqual(['done', 'done'])
    await ok('DELETE', `/v1/admins/${second.id}`, { as: administrator.token })
    expect([await runAs(on, own), await runAs(on, acting)]).toEqual(['forbidden', 'forbidden'])
  })

  test('stops when the app that started it is disconnected', async () => {
    const on = await stocked()
    const client = await newApp(app, on.owner)
    const { access_token } = await letIn(app, client, on.owner, 'orders:read orders:write')
    const started = await on.start({ ids: await on.placeMany(1), action: { type: 'confirm' } }, access_token)
    const [stored] = await sql<{ grantId: string }[]>`select grant_id from order_jobs where id = ${started.id}`
    const grantId = stored?.grantId ?? ''
    const madeBy = { kind: 'person', id: on.owner.id, appId: client.id }
    expect(await runAs(on, madeBy, { grantId })).toBe('done')
    await ok('DELETE', `/v1/users/auth/connected-apps/${client.id}`, { as: on.owner.token })
    expect(await runAs(on, madeBy, { grantId })).toBe('forbidden')
  })

  test('stops when the store has lost the product that it needs', async () => {
    const on = await stocked()
    await sql`update projects set products = array_remove(products, 'parcels') where id = ${on.projectId}`
    const madeBy = { kind: 'person', id: on.owner.id }
    expect(await runAs(on, madeBy, { type: 'send' })).toBe('product_not_enabled')
    expect(await runAs(on, madeBy)).toBe('done')
  })

  test('does not pass the limit of open jobs together with another that is being started', async () => {
    const on = await stocked()
    const open = (from: number, to: number) => sql`insert into order_jobs (project_id, id, action, total)
      select ${on.projectId}, 'obj_open' || n, '{"type":"confirm"}', 0 from generate_series(${from}::integer, ${to}::integer) n`
    await open(1, 19)
    const asked = await transaction(sql, async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`order_jobs ${on.projectId}`}, 0))`
      await tx`insert into order_jobs (project_id, id, action, total) values (${on.projectId}, 'obj_other', '{"type":"confirm"}', 0)`
      const second = call('POST', BULK, { as: on.key, body: { storeId: on.storeId, ids: ['ord_1'], action: { type: 'confirm' } } })
      await until(async () => (await sql`select 1 from pg_locks where not granted`).length > 0)
      return { second }
    })
    expect(codeOf(await asked.second)).toEqual([409, 'conflict'])
  })

  test('is refused without a target, with two, with too many ids, and beyond twenty open jobs', async () => {
    const on = await stocked()
    const ask = (body: object) => call('POST', BULK, { as: on.key, body: { storeId: on.storeId, ...body } })
    const action = { type: 'confirm' }
    expect((await ask({ action })).status).toBe(400)
    expect((await ask({ action, ids: ['ord_1'], filter: {} })).status).toBe(400)
    expect((await ask({ action, ids: Array.from({ length: 501 }, (_, at) => `ord_${at}`) })).status).toBe(400)
    expect((await ask({ action: { type: 'explode' }, ids: ['ord_1'] })).status).toBe(400)
    expect((await ask({ action, filter: { status: 'unheard' } })).status).toBe(400)
    await sql`insert into order_jobs (project_id, id, action, total) select ${on.projectId}, 'obj_open' || n, '{"type":"confirm"}', 0 from generate_series(1, 20) n`
    expect(codeOf(await ask({ action, ids: ['ord_1'] }))).toEqual([409, 'conflict'])
    expect(await on.start({ action, ids: ['ord_1'] }).catch(String)).toContain('409')
  })

  test('is listed for the one who started it, and hidden from other stores and from those who may not change orders', async () => {
    const [on, other] = [await stocked(), await stocked()]
    const ids = await on.placeMany(1)
    const mine = await on.start({ ids, action: { type: 'confirm' } })
    const theirs = await on.start({ ids, action: { type: 'confirm' } }, on.owner.token)
    expect((await ok('GET', BULK, { as: on.key })).data.map(({ id }: { id: string }) => id)).toEqual([mine.id])
    const { data } = await ok('GET', `${BULK}?storeId=${on.storeId}`, { as: on.owner.token })
    expect(data.map(({ id }: { id: string }) => id)).toEqual([theirs.id])
    for (const path of ['', '/rows', '/rows/export.csv', '/labels.pdf'])
      expect((await call('GET', `${BULK}/${mine.id}${path}`, { as: other.key })).status).toBe(404)
    expect((await call('POST', `${BULK}/${mine.id}/cancel`, { as: other.key })).status).toBe(404)
    expect((await call('POST', BULK, { body: { storeId: on.storeId, ids, action: { type: 'confirm' } } })).status).toBe(401)
    const reader = (
      await ok('POST', `/v1/projects/${on.projectId}/api-keys`, { as: on.owner.token, body: { name: 'reader', scopes: ['orders:read'] } })
    ).data.key
    expect((await call('POST', BULK, { as: reader, body: { storeId: on.storeId, ids, action: { type: 'confirm' } } })).status).toBe(403)
    expect((await call('GET', `${BULK}/${mine.id}`, { as: reader })).status).toBe(200)
  })

  test('repeats with the same Idempotency-Key are one job', async () => {
    const on = await stocked()
    const ids = await on.placeMany(1)
    const ask = () =>
      call('POST', BULK, {
        as: on.key,
        headers: { 'idempotency-key': 'once' },
        body: { storeId: on.storeId, ids, action: { type: 'confirm' } },
      })
    const [first, second] = [await ask(), await ask()]
    expect([first.status, second.status]).toEqual([202, 202])
    expect(first.body.data.id).toBe(second.body.data.id)
    expect((await sql`select 1 from order_jobs where project_id = ${projectIdOf(on.storeId)}`).length).toBe(1)
  })

  test('is answered again for its Idempotency-Key where a new one would be refused', async () => {
    const on = await stocked()
    const agent = await person('Agent')
    await ok('POST', `/v1/stores/${on.storeId}/members`, { as: on.owner.token, body: { email: agent.email, role: 'agent' } })
    const body = { storeId: on.storeId, ids: await on.placeMany(1), action: { type: 'assign', userIds: [agent.id] } }
    const ask = (key: string) => call('POST', BULK, { as: on.key, headers: { 'idempotency-key': key }, body })
    const first = await ask('assigns once')
    await ok('DELETE', `/v1/stores/${on.storeId}/members/${agent.id}`, { as: on.owner.token })
    const second = await ask('assigns once')
    expect([second.status, second.body.data?.id]).toEqual([202, first.body.data.id])
    expect((await ask('assigns anew')).status).not.toBe(202)
  })
})

describe('labels of orders', () => {
  test('are one document over all of them, which records when they were printed and which had none', async () => {
    const on = await stocked()
    const ids = await on.placeMany(4)
    await on.finished((await on.start({ ids, action: { type: 'confirm' } })).id)
    await on.finished((await on.start({ ids: ids.slice(0, 3), action: { type: 'send', carrierCode: 'sandbox' } })).id)
    const answer = await call('POST', '/v1/orders/labels', { as: on.key, body: { storeId: on.storeId, orderIds: ids, own: true } })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({ status: 'completed', total: 4, done: 3, failed: 1, hasDocument: true })
    const pdf = await call('GET', `${BULK}/${answer.body.data.id}/labels.pdf`, { as: on.key })
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(pdf.body).toStartWith('%PDF-')
    const rows = await on.rows(answer.body.data.id)
    expect(rows.filter(({ status }: { status: string }) => status === 'failed')).toMatchObject([
      { orderId: ids[3], error: { code: 'not_found' } },
    ])
    const listed = (await ok('GET', '/v1/orders', { as: on.key })).data as { id: string; parcel: { printedAt: string | null } | null }[]
    expect(
      listed
        .filter(({ parcel }) => parcel?.printedAt)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.slice(0, 3).toSorted())
  })

  test('of more than fifty orders are printed in the background', async () => {
    const on = await stocked()
    const ids = await on.placeMany(53)
    await on.finished((await on.start({ ids, action: { type: 'confirm' } })).id)
    await on.finished((await on.start({ ids, action: { type: 'send', carrierCode: 'sandbox' } })).id)
    const answer = await call('POST', '/v1/orders/labels', { as: on.key, body: { storeId: on.storeId, orderIds: ids, paper: 'a4' } })
    expect(answer.status).toBe(202)
    expect(await on.finished(answer.body.data.id)).toMatchObject({ total: 53, done: 53, hasDocument: true })
    expect((await call('GET', `${BULK}/${answer.body.data.id}/labels.pdf`, { as: on.key })).status).toBe(200)
    expect((await sql`select part from order_job_files where project_id = ${on.projectId}`).map(({ part }) => part)).toEqual([0])
  }, 60_000)

  test('a job without labels has no document', async () => {
    const on = await stocked()
    const job = await on.finished((await on.start({ ids: await on.placeMany(1), action: { type: 'confirm' } })).id)
    expect(codeOf(await call('GET', `${BULK}/${job.id}/labels.pdf`, { as: on.key }))).toEqual([404, 'not_found'])
  })
})

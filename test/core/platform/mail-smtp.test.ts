import { expect, test } from 'bun:test'
import { transaction } from '../../../core/data/sql.ts'
import { deliverMail } from '../../../core/platform/mail/deliver.ts'
import { startApp } from '../../support/app.ts'
import { ACCOUNT, smtpServer } from '../../support/smtp.ts'
import { until } from '../../support/until.ts'

const server = await smtpServer()
const { context, call, ok, shop } = await startApp({
  smtpUrl: server.url,
  mailFrom: 'Atlas Shop <hello@atlas.example>',
  defaultLanguage: 'fr',
})
const { sql, mail } = context

const write = async (to: string) => {
  const written = await transaction(sql, (tx) => mail.send(tx, { to, template: 'sign_in_code', values: { code: '482913' } }))
  return 'id' in written ? written.id : ''
}
const rowOf = async (id: string) => (await sql`select * from mails where id = ${id}`)[0]!
const gotBy = (to: string) => server.got.filter((one) => one.to === to)
const waiting = (id: string) =>
  sql<
    { inSeconds: number }[]
  >`select extract(epoch from run_at - now())::float as in_seconds from graphile_worker.jobs where key = ${`mail ${id}`}`

test('mail: a message is sent once, from the configured sender, in the configured language', async () => {
  const id = await write('amina@example.dz')
  await until(async () => (await rowOf(id)).state === 'sent')
  const [got] = gotBy('amina@example.dz')
  expect(got).toMatchObject({ subject: 'Votre code de connexion' })
  expect(Object.fromEntries(got!.headers)).toMatchObject({
    from: 'Atlas Shop <hello@atlas.example>',
    'message-id': `<${id}@atlas.example>`,
  })
  expect(got!.text).toContain('482913')
  // Its job may run again: it is not sent again.
  await Promise.all([deliverMail(context, id), deliverMail(context, id)])
  expect(gotBy('amina@example.dz')).toHaveLength(1)
  expect(await rowOf(id)).toMatchObject({ attempts: 1, content: null })
  expect(await ok('GET', '/health/check')).toMatchObject({ status: 'ok', checks: { mail: 'ok' } })
})

test('where the answer was lost it is sent again under the same name', async () => {
  server.manner.hangsUp = true
  const id = await write('lost@example.dz')
  await until(async () => (await waiting(id)).some(({ inSeconds }) => inSeconds > 5))
  expect(await rowOf(id)).toMatchObject({ state: 'queued', attempts: 1, lastError: expect.any(String) })
  await deliverMail(context, id)
  const got = gotBy('lost@example.dz')
  expect(got).toHaveLength(2)
  expect(new Set(got.map(({ headers }) => headers.get('message-id')))).toEqual(new Set([`<${id}@atlas.example>`]))
  expect(await rowOf(id)).toMatchObject({ state: 'sent', content: null })
})

test('a refusal for good ends it, one for now does not', async () => {
  server.manner.recipient = { code: 550, says: 'no such user' }
  const gone = await write('gone@example.dz')
  await until(async () => (await rowOf(gone)).state === 'failed')
  expect(await rowOf(gone)).toMatchObject({ attempts: 1, content: null, lastError: expect.stringContaining('no such user') })
  await until(async () => (await waiting(gone)).length === 0)
  server.manner.recipient = { code: 451, says: 'not now' }
  const later = await write('later@example.dz')
  await until(async () => (await waiting(later)).some(({ inSeconds }) => inSeconds > 5 && inSeconds < 40))
  expect(await rowOf(later)).toMatchObject({ state: 'queued', attempts: 1 })
  // It was this mail's trouble, not the server's.
  expect(mail.state()).toBe('ok')
  delete server.manner.recipient
  await deliverMail(context, later)
  expect(await rowOf(later)).toMatchObject({ state: 'sent', attempts: 2 })
})

test('a server that lets us in no more is told of without its secret, and nothing else waits for it', async () => {
  server.manner.locked = true
  const id = await write('locked@example.dz')
  await until(async () => (await waiting(id)).some(({ inSeconds }) => inSeconds > 5))
  const row = await rowOf(id)
  expect(row).toMatchObject({ state: 'queued', attempts: 1 })
  expect(row.lastError).toContain('••••')
  expect(row.lastError).not.toContain(ACCOUNT.pass)
  const health = await call('GET', '/health/check')
  expect([health.status, health.body.status, health.body.checks.mail]).toEqual([200, 'degraded', 'unreachable'])
  expect((await shop()).storeId).toStartWith('sto_')
  server.manner.locked = false
  await mail.checkServer()
  expect(await ok('GET', '/health/check')).toMatchObject({ status: 'ok', checks: { mail: 'ok' } })
})

test('a server that nobody listens at does not stop the start', async () => {
  const app = await startApp({ smtpUrl: 'smtp://127.0.0.1:9' })
  await until(() => app.context.mail.state() === 'unreachable')
  expect((await app.call('GET', '/health/check')).body).toMatchObject({ status: 'degraded', checks: { mail: 'unreachable' } })
  await expect(startApp({ smtpUrl: 'smtp://127.0.0.1:99999' })).rejects.toThrow('SMTP_URL must be')
})

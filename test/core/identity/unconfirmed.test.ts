import { expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'

const app = await startApp({ smtpUrl: 'smtp://127.0.0.1:9' })
const { call, ok, person } = app
const { sql } = app.context
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
await person('The administrator')

test("unconfirmed address: typing a colleague's address gives access to no store and no tenant of theirs", async () => {
  const { owner, storeId } = await app.shop()
  const [{ tenantId }] = (await ok('GET', '/v1/projects', { as: owner.token })).data
  const colleague = await person()
  const add = (role: string) => call('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: colleague.email, role } })
  const name = (role: string) =>
    call('PATCH', `/v1/tenants/${tenantId}`, {
      as: owner.token,
      body: {
        people: [
          { userId: owner.id, role: 'owner' },
          { email: colleague.email.toUpperCase(), role },
        ],
      },
    })
  const [added, named] = [await add('admin'), await name('admin')]
  expect([outcome(added), outcome(named)]).toEqual(['422 unknown_person', '422 unknown_person'])
  expect([added, named].map(({ body }) => body.error.details[0].path)).toEqual(['/body/email', '/body/people/1/email'])
  expect(outcome(await call('GET', `/v1/stores/${storeId}`, { as: colleague.token }))).toBe('404 not_found')

  await sql`update users set email_verified = true where id = ${colleague.id}`
  expect([outcome(await add('agent')), outcome(await name('member'))]).toEqual(['201', '200'])
  // A member keeps their place, whatever address they enter meanwhile.
  await sql`update users set email_verified = false where id = ${colleague.id}`
  expect([outcome(await add('viewer')), outcome(await name('admin'))]).toEqual(['201', '200'])
})

import type { Static } from '@sinclair/typebox'
import { members } from '../../../plugins/carrier/members.ts'
import { checkFields } from '../../../plugins/fields.ts'
import type { Context } from '../../context.ts'
import { callerOf } from '../../http/auth/auth-context.ts'
import { assertRate } from '../../http/concurrency.ts'
import { callWithoutConnection } from '../../integrations/connections/calls/call-without-connection.ts'
import { changeConnection, connectAdapter } from '../../integrations/connections/connect.ts'
import { findConnectionByKey } from '../../integrations/connections/connections.queries.ts'
import type { OperationCall } from '../../integrations/operations/operation-registry.ts'
import { invariant } from '../../lib/invariant.ts'
import { accessStore } from '../../shop/stores/access.ts'
import { carrierErrors } from './carriers.errors.ts'

const ASK_MS = 15_000
const PER_MINUTE = 5

type Login = OperationCall<'carrier', 'createToken'> | OperationCall<'carrier', 'createApiKey'>

/**
 * Exchanges a login and password for a token of the carrier, and connects the store with it. Never stores the password. Throws
 * `carrier_refused` when the carrier offers no tokens or rejects the login, and `rate_limited` against password guessing.
 */
export async function createToken(context: Context, { adapter, caller, body }: Login) {
  const store = await accessStore(context, callerOf({ caller }), body.storeId, ['admin', 'stores:write'])
  await assertRate(context, `token:${store.id} ${adapter.slug}`, PER_MINUTE)
  const mounted = invariant(context.plugins.find('carrier', adapter.slug), 'A carrier that is asked')
  const row = await findConnectionByKey(context.sql, store.id, adapter.slug)
  // Stored settings were validated when they were saved.
  const settings = { ...(row?.settings as typeof body.settings), ...body.settings }
  const problems = checkFields(adapter.settings, settings, ['settings'])
  if (problems.length > 0)
    throw carrierErrors.settingsInvalid(
      { label: adapter.label },
      {
        issues: problems,
      },
    )
  const login = { login: 'email' in body ? body.email : body.username, password: body.password }
  const schema = members.createToken.output
  const options = { hosts: adapter.net, deadlineMs: ASK_MS, schema, settings }
  const given: Static<typeof schema> = await callWithoutConnection(context, mounted, (own) => adapter.createToken(own, login), options)
  const credentials = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(adapter.credentials, name)))
  const saved = row
    ? await changeConnection(context, store.id, adapter.slug, { enabled: true, credentials, settings })
    : await connectAdapter(context, store.id, adapter.slug, { enabled: true, credentials, settings })
  return { connectionId: saved.id, connected: saved.status === 'connected', message: saved.statusMessage }
}

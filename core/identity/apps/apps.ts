import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import type { Person } from '../../http/auth/principal.ts'
import { scopes } from '../../http/auth/scopes.ts'
import { newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { invalidField, notFound } from '../../lib/errors/domain-error.ts'
import { newId } from '../../lib/ids.ts'
import { tryLockUser } from '../auth/account.ts'
import { evictAppCredentials } from '../auth/credentials/authenticate.ts'
import { appErrors } from './apps.errors.ts'
import type { App, AppChange, AppData, NewApp } from './apps.model.ts'
import {
  type AppRow,
  countApps,
  deleteAppDataOfUser,
  findApp,
  findAppUserData,
  insertApp,
  isUserOfApp,
  markAppDeleted,
  markAppsOfUserDeleted,
  updateApp,
  upsertAppUserData,
} from './apps.queries.ts'
import { problemOfRedirectUri } from './redirect-uris.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** Published when an app is marked as deleted. Subscribers remove the data that refers to it, and finally its row. */
    'app.deleted': { appId: string }
  }
}

const APPS_MAX = 100

/** Builds the API view of an app for its owner. */
export const presentApp = ({ ownerId: _, registration: _r, documentUrl: _d, secretHash, ...app }: AppRow): App => ({
  ...app,
  kind: secretHash === null ? 'public' : 'confidential',
})

/** Registers an app of a user. The result holds its secret, which is stored only as a hash. Throws `conflict` at {@link APPS_MAX} apps. */
export async function createApp(tx: Tx, ownerId: string, input: NewApp) {
  assertRedirectUris(input.redirectUris)
  // The lock on the user makes concurrent requests wait, so that the limit holds.
  if (!(await tryLockUser(tx, ownerId))) throw notFound('The account')
  if ((await countApps(tx, ownerId)) >= APPS_MAX) throw appErrors.tooManyApps({ appsMax: APPS_MAX })
  const made = input.kind === 'public' ? null : newSecret()
  const app = await insertApp(tx, {
    id: newId('app'),
    ownerId,
    name: input.name,
    description: input.description ?? '',
    website: input.website ?? null,
    secretHash: made?.secretHash ?? null,
    secretLast4: made?.secretLast4 ?? null,
    redirectUris: input.redirectUris,
    scopes: input.scopes ?? scopes,
    pushedRequestsOnly: input.pushedRequestsOnly ?? false,
    boundTokensOnly: input.boundTokensOnly ?? false,
    dpopNonces: input.dpopNonces ?? false,
  })
  return { ...presentApp(app), secret: made?.secret ?? null }
}

/** Finds an app that the user owns; platform administrators may open every app. Throws `not_found` for all other apps. */
export async function requireOwnedApp({ sql }: Pick<Context, 'sql'>, person: Person, id: string): Promise<AppRow> {
  const app = await findApp(sql, id)
  if (!app || (app.ownerId !== person.id && !person.isAdmin)) throw notFound('The app')
  return app
}

/** Changes an app and evicts its cached credentials. Throws `not_found` when it is deleted meanwhile. */
export async function changeApp({ sql, shared }: Context, id: string, change: AppChange): Promise<App> {
  if (change.redirectUris) assertRedirectUris(change.redirectUris)
  const changed = requireRow(await updateApp(sql, id, change))
  await evictAppCredentials(shared, id)
  return presentApp(changed)
}

/** Replaces the secret of an app; the previous one stops working at once. Throws `conflict` for a public app. */
export async function regenerateSecret({ sql, shared }: Context, app: AppRow) {
  if (app.secretHash === null) throw appErrors.noSecret()
  const { secret, ...storedSecret } = newSecret()
  const changed = requireRow(await updateApp(sql, app.id, storedSecret))
  await evictAppCredentials(shared, app.id)
  return { ...presentApp(changed), secret }
}

/** Marks an app as deleted, which ends its tokens at once. Jobs delete the rows of its grants later, because there may be millions. */
export async function removeApp({ sql, shared }: Context, id: string): Promise<void> {
  await transaction(sql, async (tx) => {
    if (await markAppDeleted(tx, id)) await publish(tx, 'app.deleted', { appId: id })
  })
  await evictAppCredentials(shared, id)
}

/** Deletes the apps of a user who is being deleted, and the data that other apps store about that user. */
export async function deleteAppsOfUser(tx: Tx, userId: string): Promise<void> {
  await deleteAppDataOfUser(tx, userId)
  for (const appId of await markAppsOfUserDeleted(tx, userId)) await publish(tx, 'app.deleted', { appId })
}

/** Returns the data that an app stores about a user, or an empty object. Throws `not_found` when the user never authorized the app. */
export async function readAppUserData({ sql }: Context, appId: string, userId: string): Promise<AppData> {
  const stored = await findAppUserData(sql, appId, userId)
  if (stored === undefined && !(await isUserOfApp(sql, appId, userId))) throw notFound('A user with this id who authorized this app')
  return stored ?? {}
}

/** Replaces the data that an app stores about a user. Throws `not_found` when the user never authorized the app. */
export async function writeAppUserData({ sql }: Context, appId: string, userId: string, data: AppData): Promise<AppData> {
  if (!(await isUserOfApp(sql, appId, userId))) throw notFound('A user with this id who authorized this app')
  await upsertAppUserData(sql, appId, userId, data)
  return data
}

function assertRedirectUris(uris: readonly string[]) {
  for (const [at, uri] of uris.entries()) {
    const problem = problemOfRedirectUri(uri)
    if (problem) throw invalidField(['redirectUris', at], problem)
  }
}

function newSecret() {
  const secret = newToken('cs')
  return { secret, secretHash: sha256(secret), secretLast4: secret.slice(-4) }
}

/** Returns the row. Throws `not_found` when the app was deleted by a concurrent request. */
function requireRow(app: AppRow | undefined): AppRow {
  if (app) return app
  throw notFound('The app')
}

import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { publish } from '../../data/subscribers.ts'
import type { Person } from '../../http/auth/principal.ts'
import { scopes } from '../../http/auth/scopes.ts'
import { ApiError, invalid, notFound } from '../../http/errors/errors.ts'
import { newToken, sha256 } from '../../lib/crypto/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { holdPerson } from '../auth/account.ts'
import { forgetApp } from '../auth/credentials/authenticate.ts'
import type { App, AppChange, Kept, NewApp } from './apps.model.ts'
import {
  type AppRow,
  countApps,
  deleteKeptOf,
  findApp,
  findOfUser,
  insertApp,
  knowsUser,
  markDeleted,
  markDeletedOf,
  updateApp,
  upsertOfUser,
} from './apps.queries.ts'
import { problemOfRedirectUri } from './redirect-uris.ts'

declare module '../../data/subscribers.ts' {
  interface DomainEvents {
    /** An app is deleted: nobody finds it any more. Whoever keeps something of it removes that, and its row at last. */
    'app.leaving': { appId: string }
  }
}

const APPS_MAX = 100

/** As its maker sees it. */
export const present = ({ ownerId: _, registration: _r, documentUrl: _d, secretHash, ...app }: AppRow): App => ({
  ...app,
  kind: secretHash === null ? 'public' : 'confidential',
})

/** The secret is in this answer and nowhere else. */
export async function createApp(tx: Tx, ownerId: string, input: NewApp) {
  assertRedirectUris(input.redirectUris)
  // One at a time, so that the limit holds.
  if (!(await holdPerson(tx, ownerId))) throw notFound('The account')
  if ((await countApps(tx, ownerId)) >= APPS_MAX) throw new ApiError('conflict', `A person has at most ${APPS_MAX} apps. Delete one first.`)
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
  return { ...present(app), secret: made?.secret ?? null }
}

/** The app, where it is this person's; everybody else's does not exist. */
export async function ownApp({ sql }: Pick<Context, 'sql'>, person: Person, id: string): Promise<AppRow> {
  const app = await findApp(sql, id)
  if (!app || (app.ownerId !== person.id && !person.isAdmin)) throw notFound('The app')
  return app
}

export async function changeApp({ sql, shared }: Context, id: string, change: AppChange): Promise<App> {
  if (change.redirectUris) assertRedirectUris(change.redirectUris)
  const changed = still(await updateApp(sql, id, change))
  await forgetApp(shared, id)
  return present(changed)
}

/** The one before it no longer works. */
export async function regenerateSecret({ sql, shared }: Context, app: AppRow) {
  if (app.secretHash === null) throw new ApiError('conflict', 'A public app has no secret: it proves itself with PKCE.')
  const { secret, ...kept } = newSecret()
  const changed = still(await updateApp(sql, app.id, kept))
  await forgetApp(shared, app.id)
  return { ...present(changed), secret }
}

/** All that people allowed it ends with it, at once; the rows of that follow by and by, since there may be millions. */
export async function removeApp({ sql, shared }: Context, id: string): Promise<void> {
  await transaction(sql, async (tx) => {
    if (await markDeleted(tx, id)) await publish(tx, 'app.leaving', { appId: id })
  })
  await forgetApp(shared, id)
}

/** A person who leaves takes his apps along, and what others keep of him. */
export async function leaveApps(tx: Tx, userId: string): Promise<void> {
  await deleteKeptOf(tx, userId)
  for (const appId of await markDeletedOf(tx, userId)) await publish(tx, 'app.leaving', { appId })
}

/** What it keeps of a person who let it in. */
export async function readOfUser({ sql }: Context, appId: string, userId: string): Promise<Kept> {
  const kept = await findOfUser(sql, appId, userId)
  if (kept === undefined && !(await knowsUser(sql, appId, userId))) throw notFound('A person who let this app in, with this id,')
  return kept ?? {}
}

export async function writeOfUser({ sql }: Context, appId: string, userId: string, data: Kept): Promise<Kept> {
  if (!(await knowsUser(sql, appId, userId))) throw notFound('A person who let this app in, with this id,')
  await upsertOfUser(sql, appId, userId, data)
  return data
}

function assertRedirectUris(uris: readonly string[]) {
  for (const [at, uri] of uris.entries()) {
    const problem = problemOfRedirectUri(uri)
    if (problem) throw invalid(`/body/redirectUris/${at}`, problem)
  }
}

function newSecret() {
  const secret = newToken('cs')
  return { secret, secretHash: sha256(secret), secretLast4: secret.slice(-4) }
}

/** Deleted meanwhile, it is no more. */
function still(app: AppRow | undefined): AppRow {
  if (app) return app
  throw notFound('The app')
}

import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { callerOf, pathIdOf } from '../../http/auth/auth-context.ts'
import type { Principal } from '../../http/auth/principal.ts'
import { createOnce } from '../../http/idempotency.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { App, AppChange, AppData, AppWithSecret, NewApp } from './apps.model.ts'
import { findApp, findAppData, findAppUserData, isUserOfApp, listApps, updateAppData, upsertAppUserData } from './apps.queries.ts'
import {
  changeApp,
  createApp,
  presentApp,
  readAppUserData,
  regenerateSecret,
  removeApp,
  requireOwnedApp,
  writeAppUserData,
} from './apps.ts'

const describe = tagOperations('Apps')
const ById = T.Object({ id: Id })
const OfUser = T.Object({ id: Id, userId: Id })

/** Routes by which developers manage their OAuth apps and the data that the apps store. */
export function apps(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'apps', prefix: '/v1/apps' })
    .use(context.auth)
    .macro('ownApp', (kind: true | 'direct') => ({
      user: kind,
      resolve: async (asked: object) => ({ app: await requireOwnedApp(context, requirePerson(callerOf(asked)), pathIdOf(asked)) }),
    }))
    .macro('appOfMine', (_: true) => ({
      userOrApp: true as const,
      resolve: async (asked: object) => ({ appId: await requireActingApp(context, callerOf(asked), pathIdOf(asked)) }),
    }))
    .get(
      '',
      ({ person, query }) => readKeysetPage(query, async (before, take) => (await listApps(sql, person.id, before, take)).map(presentApp)),
      {
        user: true,
        query: T.Object(pageQuery),
        response: List(App),
        detail: describe('List your apps, newest first', 'listApps'),
      },
    )
    .post(
      '',
      (creation) => createOnce(context, creation, async (tx) => ({ data: await createApp(tx, creation.person.id, creation.body) })),
      {
        user: 'direct',
        body: NewApp,
        response: { 201: Data(AppWithSecret) },
        detail: describe('Register an app; only this response contains its secret', 'createApp'),
      },
    )
    .get('/:id', ({ app }) => ({ data: presentApp(app) }), {
      ownApp: true,
      params: ById,
      response: Data(App),
      detail: describe('Read an app', 'readApp'),
    })
    .put('/:id', async ({ app, body }) => ({ data: await changeApp(context, app.id, body) }), {
      ownApp: 'direct',
      params: ById,
      body: AppChange,
      response: Data(App),
      detail: describe('Change an app; omitted fields keep their values', 'changeApp'),
    })
    .delete(
      '/:id',
      async ({ app, set }) => {
        await removeApp(context, app.id)
        set.status = 204
      },
      {
        ownApp: 'direct',
        params: ById,
        response: { 204: T.Void() },
        detail: describe('Delete an app and end all access that users granted to it', 'deleteApp'),
      },
    )
    .post('/:id/regenerate-secret', async ({ app }) => ({ data: await regenerateSecret(context, app) }), {
      ownApp: 'direct',
      params: ById,
      response: Data(AppWithSecret),
      detail: describe('Make a new secret; the previous one stops working at once', 'regenerateAppSecret'),
    })
    .get(
      '/:id/public-data',
      async ({ params }) => {
        const data = await findAppData(sql, params.id, 'publicData')
        if (data === undefined) throw notFound('The app')
        return { data }
      },
      { open: true, params: ById, response: Data(AppData), detail: describe('Read the public data of an app', 'readAppPublicData') },
    )
    .put(
      '/:id/public-data',
      async ({ app, body }) => {
        await updateAppData(sql, app.id, 'publicData', body)
        return { data: body }
      },
      {
        ownApp: 'direct',
        params: ById,
        body: AppData,
        response: Data(AppData),
        detail: describe('Replace the public data of an app', 'writeAppPublicData'),
      },
    )
    .get('/:id/private-data', async ({ app }) => ({ data: (await findAppData(sql, app.id, 'privateData')) ?? {} }), {
      ownApp: true,
      params: ById,
      response: Data(AppData),
      detail: describe('Read the private data of an app, which only its owner sees', 'readAppPrivateData'),
    })
    .put(
      '/:id/private-data',
      async ({ app, body }) => {
        await updateAppData(sql, app.id, 'privateData', body)
        return { data: body }
      },
      {
        ownApp: 'direct',
        params: ById,
        body: AppData,
        response: Data(AppData),
        detail: describe('Replace the private data of an app', 'writeAppPrivateData'),
      },
    )
    .get('/:id/user-data/me', async ({ appId, person }) => ({ data: (await findAppUserData(sql, appId, person.id)) ?? {} }), {
      appOfMine: true,
      params: ById,
      response: Data(AppData),
      detail: describe('Read the data that an app stores about you, as yourself or as the app with your token', 'readMyAppData'),
    })
    .put(
      '/:id/user-data/me',
      async ({ appId, person, body }) => {
        await upsertAppUserData(sql, appId, person.id, body)
        return { data: body }
      },
      {
        appOfMine: true,
        params: ById,
        body: AppData,
        response: Data(AppData),
        detail: describe('Replace the data that an app stores about you', 'writeMyAppData'),
      },
    )
    .get('/:id/user-data/users/:userId', async ({ app, params }) => ({ data: await readAppUserData(context, app.id, params.userId) }), {
      ownApp: true,
      params: OfUser,
      response: Data(AppData),
      detail: describe('Read the data that your app stores about a user who authorized it', 'readUserAppData'),
    })
    .put(
      '/:id/user-data/users/:userId',
      async ({ app, params, body }) => ({ data: await writeAppUserData(context, app.id, params.userId, body) }),
      {
        ownApp: 'direct',
        params: OfUser,
        body: AppData,
        response: Data(AppData),
        detail: describe('Replace the data that your app stores about a user who authorized it', 'writeUserAppData'),
      },
    )
}

/** Returns the user of the credential. Throws `not_found` without one, which the macros above rule out. */
function requirePerson({ person }: Principal) {
  if (person) return person
  throw notFound('The app')
}

/**
 * Returns the id of the app whose data about the caller is meant. An app may name only itself; a user names apps that they own or have
 * authorized. Throws `not_found` for any other app.
 */
async function requireActingApp({ sql }: Context, caller: Principal, id: string): Promise<string> {
  const { id: userId } = requirePerson(caller)
  const found = caller.app && caller.app.id !== id ? undefined : await findApp(sql, id)
  if (!found || (found.ownerId !== userId && !(await isUserOfApp(sql, id, userId)))) throw notFound('The app')
  return found.id
}

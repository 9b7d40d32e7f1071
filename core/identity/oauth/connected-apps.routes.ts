import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { readKeysetPage } from '../../http/resource/page.ts'
import { tagOperations } from '../../http/route.ts'
import { Id, List, pageQuery } from '../../http/schema.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { evictGrantCredentials } from '../auth/credentials/authenticate.ts'
import { listConnectedApps, revokeGrantsOfApp } from './grants.queries.ts'
import { ConnectedApp } from './oauth.model.ts'

const describe = tagOperations('Users')

/** Routes by which users list the apps that they authorized and disconnect them. */
export const connectedApps = ({ auth, sql, shared }: Context) =>
  new Elysia({ name: 'connected-apps', prefix: '/v1/users/auth/connected-apps' })
    .use(auth)
    .get('', ({ person, query }) => readKeysetPage(query, (before, take) => listConnectedApps(sql, person.id, before, take)), {
      user: true,
      query: T.Object(pageQuery),
      response: List(ConnectedApp),
      detail: describe('List the apps that you authorized', 'listConnectedApps'),
    })
    .delete(
      '/:id',
      async ({ person, params, set }) => {
        const ended = await revokeGrantsOfApp(sql, person.id, params.id)
        if (ended.length === 0) throw notFound('An app with this id that you authorized')
        await evictGrantCredentials(shared, ended)
        set.status = 204
      },
      {
        user: true,
        params: T.Object({ id: Id }),
        response: { 204: T.Void() },
        detail: describe('Disconnect an app: all its tokens for your account stop working', 'disconnectApp'),
      },
    )

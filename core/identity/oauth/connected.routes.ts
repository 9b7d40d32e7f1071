import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { notFound } from '../../http/errors/errors.ts'
import { page } from '../../http/resource/page.ts'
import { Id, List, pageQuery } from '../../http/schema.ts'
import { forgetGrants } from '../auth/credentials/authenticate.ts'
import { listConnectedApps, revokeGrantsOfApp } from './grants.queries.ts'
import { ConnectedApp } from './oauth.model.ts'

const describe = (summary: string, operationId: string) => ({ tags: ['Users'], summary, operationId })

/** What a person lets in, and how he ends that. */
export const connectedApps = ({ auth, sql, shared }: Context) =>
  new Elysia({ name: 'connected-apps', prefix: '/v1/users/auth/connected-apps' })
    .use(auth)
    .get('', ({ person, query }) => page(query, (before, take) => listConnectedApps(sql, person.id, before, take)), {
      user: true,
      query: T.Object(pageQuery),
      response: List(ConnectedApp),
      detail: describe('Apps that you let in', 'listConnectedApps'),
    })
    .delete(
      '/:id',
      async ({ person, params, set }) => {
        const ended = await revokeGrantsOfApp(sql, person.id, params.id)
        if (ended.length === 0) throw notFound('An app that you let in, with this id,')
        await forgetGrants(shared, ended)
        set.status = 204
      },
      {
        user: true,
        params: T.Object({ id: Id }),
        response: { 204: T.Void() },
        detail: describe('Let an app in no longer: all its tokens stop working', 'disconnectApp'),
      },
    )

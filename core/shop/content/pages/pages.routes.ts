import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { Data, Id } from '../../../http/schema.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { contentErrors } from '../content.errors.ts'
import { PageViewQuery, PublicPage } from './pages.model.ts'
import { findPublicPage } from './pages.queries.ts'

/** Route that reads a published page. It answers the content as stored and never executes it. */
export const publicPages = ({ sql, auth }: Context) =>
  new Elysia({ name: 'pages', prefix: '/v1/pages' }).use(auth).get(
    '/view/:slug',
    async ({ params, query: { storeId, store } }) => {
      if (storeId === undefined && store === undefined) throw contentErrors.storeMissing({ field: ['storeId'] })
      const page = await findPublicPage(sql, storeId !== undefined ? { id: storeId } : { slug: store ?? '' }, params.slug)
      if (!page) throw notFound('The page')
      return { data: page }
    },
    {
      open: true,
      params: T.Object({ slug: Id }),
      query: PageViewQuery,
      response: Data(PublicPage),
      detail: { tags: ['Pages'], summary: 'Read a published page', operationId: 'viewPage' },
    },
  )

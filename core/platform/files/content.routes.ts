import { Type as T } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { Context } from '../../context.ts'
import { authContextOf } from '../../http/auth/auth-context.ts'
import { Id } from '../../http/schema.ts'
import { serveContent } from './content.ts'
import { WIDTHS } from './pictures.ts'

const bytes = { schema: { type: 'string' as const, format: 'binary' } }
const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf', 'text/csv']

/** Macro for requests without authentication. It ignores any credential. */
const unauthenticated = (_: true) => ({
  client: true as const,
  resolve: (asked: object) => ({ address: authContextOf(asked).address ?? '' }),
  detail: { security: [], 'x-callback': false } as object,
})

/** Builds the route that serves file content. Pages load many images from it, so it needs no credential and has a rate limit of its own. */
export const contentRoutes = (context: Context) =>
  new Elysia({ name: 'files', prefix: '/v1/files' })
    .use(context.auth)
    .macro('byAnybody', unauthenticated)
    .get(
      '/:id/content',
      ({ params, query, request, address }) => serveContent(context, { id: params.id, width: query.w, headers: request.headers, address }),
      {
        byAnybody: true,
        params: T.Object({ id: Id }),
        query: T.Object({
          w: T.Optional(
            t.Integer({
              minimum: WIDTHS[0],
              maximum: WIDTHS.at(-1) ?? 0,
              description: `width of a picture: ${WIDTHS.join(', ')} pixels; other values use the next larger one`,
            }),
          ),
        }),
        detail: {
          tags: ['Files'],
          summary: 'Read the bytes of a file. Its id is enough; the bytes never change',
          operationId: 'readFileContent',
          responses: {
            200: { description: 'The bytes.', content: Object.fromEntries(types.map((type) => [type, bytes])) },
            206: {
              description: 'The bytes that `Range` requests, of a file in its original width.',
              content: Object.fromEntries(types.map((type) => [type, bytes])),
            },
            304: { description: 'Not modified.' },
          },
        } as object,
      },
    )

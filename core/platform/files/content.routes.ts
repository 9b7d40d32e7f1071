import { Type as T } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import type { Context } from '../../context.ts'
import { edgeOf } from '../../http/auth/auth.ts'
import { Id } from '../../http/schema.ts'
import { contentOf } from './content.ts'
import { WIDTHS } from './pictures.ts'

const bytes = { schema: { type: 'string' as const, format: 'binary' } }
const types = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'application/pdf', 'text/csv']

/** Whatever credential is sent, it is not looked at: a program that brings none, and signs nothing. */
const byAnybody = (_: true) => ({
  client: true as const,
  resolve: (asked: object) => ({ address: edgeOf(asked).address ?? '' }),
  detail: { security: [], 'x-callback': false } as object,
})

/** Where pages take pictures from, many at a time: asked without any thought of credentials, and counted by itself. */
export const content = (context: Context) =>
  new Elysia({ name: 'files', prefix: '/v1/files' })
    .use(context.auth)
    .macro('byAnybody', byAnybody)
    .get(
      '/:id/content',
      ({ params, query, request, address }) => contentOf(context, { id: params.id, width: query.w, headers: request.headers, address }),
      {
        byAnybody: true,
        params: T.Object({ id: Id }),
        query: T.Object({
          w: T.Optional(
            t.Integer({
              minimum: WIDTHS[0],
              maximum: WIDTHS.at(-1) ?? 0,
              description: `of a picture: ${WIDTHS.join(', ')} pixels; any other is the next wider`,
            }),
          ),
        }),
        detail: {
          tags: ['Files'],
          summary: 'The bytes of a file, for whoever knows its id; they never change',
          operationId: 'readFileContent',
          responses: {
            200: { description: 'The bytes.', content: Object.fromEntries(types.map((type) => [type, bytes])) },
            206: {
              description: 'Those of them that `Range` asks for, of a file as it was put.',
              content: Object.fromEntries(types.map((type) => [type, bytes])),
            },
            304: { description: 'You have them already.' },
          },
        } as object,
      },
    )

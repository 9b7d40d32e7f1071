import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { Id } from '../../../http/schema.ts'
import { TokenQuery } from '../../../identity/codes/codes.model.ts'
import { answerInvitationPage, showInvitationPage } from './invitation-page.ts'

const HTML = { 'text/html': { schema: { type: 'string' as const } } }
const FORM = { type: 'object' as const, additionalProperties: { type: 'string' as const } }
const ByInvite = T.Object({ storeId: Id, inviteId: Id })
const describe = (summary: string, operationId: string) => ({
  tags: ['Stores'],
  summary,
  operationId,
  responses: { 200: { description: 'A page.', content: HTML } },
})

/** Routes of the page that an invitation e-mail links to. */
export const invitationPages = (context: Context) =>
  new Elysia({ name: 'invitation-pages', prefix: '/v1/stores/:storeId/invites/:inviteId/page' })
    .use(context.auth)
    .get('', ({ request, params }) => showInvitationPage(context, request, params), {
      open: true,
      params: ByInvite,
      query: TokenQuery,
      detail: describe('Show the page that answers an invitation', 'showInvitation'),
    })
    .post('', ({ request, params }) => answerInvitationPage(context, request, params), {
      open: true,
      params: ByInvite,
      detail: {
        ...describe('Answer an invitation by the form of its page', 'answerInvitation'),
        requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: FORM } } },
      },
    })

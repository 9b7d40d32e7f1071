import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { directUserOf } from '../../../http/auth/principal.ts'
import { createOnce } from '../../../http/idempotency.ts'
import { readList } from '../../../http/resource/list.ts'
import { readKeysetPage } from '../../../http/resource/page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, List, pageQuery } from '../../../http/schema.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { invitationList } from './invitations.model.ts'
import { findReadableInvitation, listInvitations, listReceivedInvitations } from './invitations.queries.ts'
import { acceptInvitation, createInvitation, declineInvitation, invitationReaderOf, withdrawInvitation } from './invitations.ts'
import { Invitation, InvitationAnswer, Member, NewInvitation, ReceivedInvitation, TokenQuery } from './members.model.ts'
import { MANAGE_MEMBERS } from './members.ts'

const describe = tagOperations('Stores')
const ById = T.Object({ storeId: Id })
const ByInvite = T.Object({ storeId: Id, inviteId: Id })

/** Routes that invite users to a store and answer invitations. */
export function invitations(context: Context) {
  const { sql } = context
  return new Elysia({ name: 'invitations', prefix: '/v1' })
    .use(context.authority)
    .get(
      '/me/store-invites',
      ({ person, query }) => readKeysetPage(query, (before, take) => listReceivedInvitations(sql, person.id, before, take)),
      {
        user: true,
        query: T.Object(pageQuery),
        response: List(ReceivedInvitation),
        detail: describe('Open invitations to your verified e-mail address', 'listMyInvitations'),
      },
    )
    .get(
      '/stores/:storeId/invites',
      ({ store, query }) => readList(sql, invitationList, query, (reader, asked) => listInvitations(reader, store.id, asked)),
      {
        member: ['admin', 'members:read'],
        params: ById,
        query: invitationList.query,
        response: List(Invitation),
        detail: describe('List invitations of a store', 'listInvitations'),
      },
    )
    .post(
      '/stores/:storeId/invites',
      (creation) => {
        const { store, person, body } = creation
        return createOnce(context, creation, async (tx) => ({ data: await createInvitation(context, tx, store, person, body) }))
      },
      {
        member: MANAGE_MEMBERS,
        params: ById,
        body: NewInvitation,
        response: { 201: Data(Invitation) },
        detail: describe('Invite somebody by e-mail; an address has one open invitation at a time, for seven days', 'createInvitation'),
      },
    )
    .delete(
      '/stores/:storeId/invites/:inviteId',
      async ({ store, person, params, set }) => {
        await withdrawInvitation(context, store, person, params.inviteId)
        set.status = 204
      },
      {
        member: MANAGE_MEMBERS,
        params: ByInvite,
        response: { 204: T.Void() },
        detail: describe('Withdraw an open invitation', 'withdrawInvitation'),
      },
    )
    .get(
      '/stores/:storeId/invites/:inviteId',
      async ({ caller, params, query }) => {
        const reader = invitationReaderOf(caller && directUserOf(caller), query.token)
        const found = await findReadableInvitation(sql, params.storeId, params.inviteId, reader)
        if (!found) throw notFound('The invitation')
        return { data: found }
      },
      {
        open: true,
        params: ByInvite,
        query: TokenQuery,
        response: Data(ReceivedInvitation),
        detail: describe(
          'Read an invitation, as holder of its token, as user with the invited and verified address, or as admin of the store',
          'readInvitation',
        ),
      },
    )
    .post(
      '/stores/:storeId/invites/:inviteId/accept',
      async ({ person, params, body }) => ({
        data: await acceptInvitation(context, params.storeId, params.inviteId, person, invitationReaderOf(person.id, body.token)),
      }),
      {
        user: true,
        params: ByInvite,
        body: InvitationAnswer,
        response: Data(Member),
        detail: describe('Accept an invitation and become a member', 'acceptInvitation'),
      },
    )
    .post(
      '/stores/:storeId/invites/:inviteId/decline',
      async ({ person, params, body }) => ({
        data: await declineInvitation(context, params.storeId, params.inviteId, invitationReaderOf(person.id, body.token)),
      }),
      {
        user: true,
        params: ByInvite,
        body: InvitationAnswer,
        response: Data(ReceivedInvitation),
        detail: describe('Decline an invitation', 'declineInvitation'),
      },
    )
}

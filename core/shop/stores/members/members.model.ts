import { type Static, Type as T } from '@sinclair/typebox'
import { type Permission, permissions, type Role, roles } from '../../../http/auth/scopes.ts'
import { exact, Id, Nullable, named, oneOf, Timestamp } from '../../../http/schema.ts'

/** People of a store, and invitations of it that are open at once. */
export const PEOPLE_MAX = { members: 500, invitations: 100 } as const
/** An invitation is good for so long. */
export const INVITATION_DAYS = 7

const GivenRole = oneOf(['admin', 'agent', 'viewer'])
const Permissions = Nullable(T.Array(oneOf(permissions), { uniqueItems: true, maxItems: permissions.length }), {
  description: 'what he may do of what his role may, and no more; null: all of it',
})
const SaidPermissions = T.Optional(Permissions)
export const Email = T.String({ format: 'email', maxLength: 254 })

/** What a member is in a store, and what he may do of it: null for all that his role may. */
export interface Membership {
  readonly role: Role
  readonly permissions: readonly Permission[] | null
}
/** Nothing is ever kept from an owner. */
export const OWNER: Membership = { role: 'owner', permissions: null }

export const Member = named(
  'Member',
  T.Object({
    storeId: Id,
    userId: Id,
    name: T.String(),
    email: T.String(),
    role: oneOf(roles),
    permissions: Permissions,
    createdAt: Timestamp,
  }),
)
export type Member = Static<typeof Member>
export const NewMember = named(
  'NewMember',
  exact({
    email: T.String({ maxLength: 254, description: 'of a person who has an account, and has confirmed it where the server sends mail' }),
    role: GivenRole,
    permissions: SaidPermissions,
  }),
)
export type NewMember = Static<typeof NewMember>
export const MemberChange = named(
  'MemberChange',
  exact({
    role: oneOf(roles, { description: '`owner` gives the store to this member, which its owner alone may do; he stays as an admin' }),
    permissions: SaidPermissions,
  }),
)
export type MemberChange = Static<typeof MemberChange>

export const invitationStatuses = ['open', 'accepted', 'declined', 'withdrawn', 'expired'] as const
const shown = {
  id: Id,
  storeId: Id,
  email: T.String(),
  role: GivenRole,
  permissions: Permissions,
  status: oneOf(invitationStatuses),
  createdAt: Timestamp,
  expiresAt: Timestamp,
}

/** As the store's admins see it. Its token is in the mail and nowhere else. */
export const Invitation = named(
  'StoreInvitation',
  T.Object({
    ...shown,
    invitedBy: Nullable(T.Object({ userId: Id, name: T.String() }), { description: 'null where that person has no account any more' }),
    settledAt: Nullable(Timestamp, { description: 'when it was accepted, declined or withdrawn' }),
  }),
)
export type Invitation = Static<typeof Invitation>

/** As who was invited sees it. */
export const ReceivedInvitation = named(
  'ReceivedStoreInvitation',
  T.Object({ ...shown, storeName: T.String(), inviterName: Nullable(T.String()) }),
)
export type ReceivedInvitation = Static<typeof ReceivedInvitation>

export const NewInvitation = named(
  'NewStoreInvitation',
  exact({
    email: Email,
    role: GivenRole,
    permissions: SaidPermissions,
    language: T.Optional(oneOf(['ar', 'fr', 'en'], { description: "of the mail; the server's, unless said" })),
  }),
)
export type NewInvitation = Static<typeof NewInvitation>

const Token = T.String({
  minLength: 1,
  maxLength: 100,
  description: 'of the mail; not needed by who signed in with the invited, verified address',
})
export const InvitationAnswer = named('StoreInvitationAnswer', exact({ token: T.Optional(Token) }))
export const TokenQuery = T.Object({ token: T.Optional(Token) })

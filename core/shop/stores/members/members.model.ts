import { type Static, Type as T } from '@sinclair/typebox'
import { type Permission, permissions, type Role, roles } from '../../../http/auth/scopes.ts'
import { exact, Id, Nullable, named, oneOf, Timestamp } from '../../../http/schema.ts'

/** Members of a store, and invitations open at once. */
export const MEMBER_LIMITS = { members: 500, invitations: 100 } as const
/** Days until an invitation expires. */
export const INVITATION_DAYS = 7

const GrantableRole = oneOf(['admin', 'agent', 'viewer'])
const Permissions = Nullable(T.Array(oneOf(permissions), { uniqueItems: true, maxItems: permissions.length }), {
  description: 'limits what the role allows to these permissions; null: everything the role allows',
})
const OptionalPermissions = T.Optional(Permissions)
/** E-mail address. */
const Email = T.String({ format: 'email', maxLength: 254 })

/** Role of a member and the permissions it is limited to; null for all that the role allows. */
export interface Membership {
  readonly role: Role
  readonly permissions: readonly Permission[] | null
}
/** Membership of an owner, which is never limited. */
export const OWNER_MEMBERSHIP: Membership = { role: 'owner', permissions: null }

/** Member of a store. */
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
/** Type of {@link Member}. */
export type Member = Static<typeof Member>
/** Body that adds a member. */
export const NewMember = named(
  'NewMember',
  exact({
    email: T.String({ maxLength: 254, description: 'of a user with an account, confirmed where the server sends e-mail' }),
    role: GrantableRole,
    permissions: OptionalPermissions,
  }),
)
/** Type of {@link NewMember}. */
export type NewMember = Static<typeof NewMember>
/** Body that changes a member. */
export const MemberChange = named(
  'MemberChange',
  exact({
    role: oneOf(roles, {
      description: '`owner` transfers the store to this member; only the present owner may do so, and stays as an admin',
    }),
    permissions: OptionalPermissions,
  }),
)
/** Type of {@link MemberChange}. */
export type MemberChange = Static<typeof MemberChange>

/** Statuses of an invitation. Only an `open` one can be answered. */
export const invitationStatuses = ['open', 'accepted', 'declined', 'withdrawn', 'expired'] as const
const invitationFields = {
  id: Id,
  storeId: Id,
  email: T.String(),
  role: GrantableRole,
  permissions: Permissions,
  status: oneOf(invitationStatuses),
  createdAt: Timestamp,
  expiresAt: Timestamp,
}

/** Invitation as admins of the store see it, without its token, which is only in the e-mail. */
export const Invitation = named(
  'StoreInvitation',
  T.Object({
    ...invitationFields,
    invitedBy: Nullable(T.Object({ userId: Id, name: T.String() }), { description: 'null where that user has deleted the account' }),
    settledAt: Nullable(Timestamp, { description: 'when it was accepted, declined or withdrawn' }),
  }),
)
/** Type of {@link Invitation}. */
export type Invitation = Static<typeof Invitation>

/** Invitation as the invited user sees it. */
export const ReceivedInvitation = named(
  'ReceivedStoreInvitation',
  T.Object({ ...invitationFields, storeName: T.String(), inviterName: Nullable(T.String()) }),
)
/** Type of {@link ReceivedInvitation}. */
export type ReceivedInvitation = Static<typeof ReceivedInvitation>

/** Body that invites an e-mail address. */
export const NewInvitation = named(
  'NewStoreInvitation',
  exact({
    email: Email,
    role: GrantableRole,
    permissions: OptionalPermissions,
    language: T.Optional(oneOf(['ar', 'fr', 'en'], { description: "language of the e-mail; default: the server's" })),
  }),
)
/** Type of {@link NewInvitation}. */
export type NewInvitation = Static<typeof NewInvitation>

const Token = T.String({
  minLength: 1,
  maxLength: 100,
  description: 'token of the e-mail; not needed by a user signed in with the invited and verified address',
})
/** Body that answers an invitation. */
export const InvitationAnswer = named('StoreInvitationAnswer', exact({ token: T.Optional(Token) }))
/** Query with the token of an invitation. */
export const TokenQuery = T.Object({ token: T.Optional(Token) })

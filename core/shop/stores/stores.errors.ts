import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of stores: the code of each, and the sentence that a caller reads. */
export const storeErrors = defineErrors({
  invitationAnswered: ['conflict', 'The invitation has just been answered. Read it again.'],
  invitationClosed: ['conflict', ({ status }: Values<'status'>) => `The invitation is ${status}. Ask for a new one.`],
  productNotEnabled: [
    'product_not_enabled',
    ({ product }: Values<'product'>) => `The store's project has not enabled the product ${product}. Enable it first.`,
  ],
  permissionMissing: [
    'forbidden',
    ({ permission }: Values<'permission'>) => `This needs the permission ${permission} in the store. Ask its owner for it.`,
  ],
  allPermissionsNeeded: ['forbidden', 'This needs all permissions of your role in the store. Ask its owner for them.'],
  roleTooLow: [
    'forbidden',
    ({ needed, role }: Values<'needed' | 'role'>) => `This needs the role ${needed} in the store; you are ${role}. Ask its owner for it.`,
  ],
  accessLost: ['forbidden', 'You may no longer do this in the store. Ask its owner for the permission.'],
  storeMissing: ['invalid_request', 'Name the store: send storeId.'],
  blockAmbiguous: ['invalid_request', 'Name exactly one of phone, address and ip.'],
  tooManyBlocks: ['limit_reached', ({ blocksMax }: Values<'blocksMax'>) => `A store has at most ${blocksMax} blocks. Remove some first.`],
  orderNotAccepted: ['recipient_blocked', 'This store does not accept this order. Contact the store.'],
  slugWithoutLetters: ['invalid_request', 'Must contain letters or digits.'],
  ipInvalid: ['invalid_request', 'Must be an IP address, or a network such as 203.0.113.0/24.'],
  prefixTooShort: ['invalid_request', ({ least }: Values<'least'>) => `The prefix must have at least ${least} bits.`],
  currencyInUse: ['conflict', ({ code }: Values<'code'>) => `Stores sell in ${code}. Hide it instead: "enabled": false.`],
  tooManyStatePrices: [
    'limit_reached',
    ({ deliveryStatesMax, stateCount }: Values<'deliveryStatesMax' | 'stateCount'>) =>
      `A store has prices for at most ${deliveryStatesMax} states, not ${stateCount}. Leave some out.`,
  ],
  memberAlready: ['conflict', 'This person is a member of the store already.'],
  tooManyInvitations: [
    'limit_reached',
    ({ invitations }: Values<'invitations'>) => `A store has at most ${invitations} open invitations. Withdraw some first.`,
  ],
  invitedTooOften: ['rate_limited', 'This address was invited too often within the hour. Wait an hour.'],
  emailUnconfirmed: [
    'forbidden',
    'Confirm your e-mail address first: open the link that was mailed to it, then accept the invitation again.',
  ],
  permissionsBeyondOwn: [
    'forbidden',
    ({ own }: Values<'own'>) => `You can only grant permissions that you have yourself. Send "permissions" with some of these: ${own}.`,
  ],
  permissionsOfMember: [
    'forbidden',
    'This member has more permissions in the store than you. Ask a member with all permissions to change this.',
  ],
  ownerFixed: ['conflict', 'The role of the owner is fixed. Make another member the owner instead.'],
  addressUnconfirmed: [
    'unknown_person',
    'This e-mail address is not confirmed. Ask its owner to open the link in the confirmation e-mail, or send an invitation.',
  ],
  tooManyAdditions: [
    'rate_limited',
    ({ addedMembersPerHour }: Values<'addedMembersPerHour'>) =>
      `A user adds at most ${addedMembersPerHour} members an hour. Send invitations instead: POST /v1/stores/{id}/invites.`,
  ],
  tooManyMembers: ['limit_reached', ({ members }: Values<'members'>) => `A store has at most ${members} members. Remove some first.`],
  ownerHasAll: ['invalid_request', 'An owner has all permissions. Leave "permissions" out.'],
  ownerCannotLeave: ['conflict', 'You own this store. Make another member its owner first, or delete the store.'],
  countryUnknown: [
    'invalid_request',
    ({ countryCode }: Values<'countryCode'>) => `The country "${countryCode}" is unknown. Use one of GET /v1/countries.`,
  ],
  currencyUnknown: [
    'invalid_request',
    ({ currencyCode }: Values<'currencyCode'>) => `The currency "${currencyCode}" is unknown. Use one of GET /v1/currencies.`,
  ],
  countryFixed: ['conflict', 'The store has orders, so its country and currency can no longer change. Create another store.'],
  pricesChanged: ['conflict', 'The store was deleted, or its country or currency changed. Request its prices again.'],
  timeZoneUnknown: ['invalid_request', ({ zone }: Values<'zone'>) => `The time zone "${zone}" is unknown. Use one of the IANA database.`],
  slugTaken: ['slug_taken', ({ slug }: Values<'slug'>) => `Another store has the slug "${slug}". Choose another one.`],
})

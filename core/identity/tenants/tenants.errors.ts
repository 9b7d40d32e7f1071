import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of tenants: the code of each, and the sentence that a caller reads. */
export const tenantErrors = defineErrors({
  keyRevoked: ['invalid_api_key', 'This API key was revoked by another request at the same time. Use another key.'],
  scopesBeyondStore: [
    'forbidden',
    ({ beyond }: Values<'beyond'>) => `Keys with ${beyond} reach all projects of the tenant. Only its owner and admins can create them.`,
  ],
  limitReached: [
    'limit_reached',
    ({ count, things }: Values<'count' | 'things'>) =>
      `There are ${count} ${things}, which is the limit of this tenant. Remove one, or ask a platform administrator to raise it.`,
  ],
  projectsForbidden: ['forbidden', 'Only users and API keys of a project can create projects.'],
  membersReadOnly: ['forbidden', 'Members of a tenant can only view its projects. Its owner and admins can manage them.'],
  ownerAmbiguous: ['invalid_request', 'Name exactly one owner among them.'],
  personRepeated: ['invalid_request', 'Name each person once.'],
  ownershipForbidden: ['forbidden', 'Only the owner, signed in directly, can transfer a tenant to another user.'],
  memberIdUnknown: ['unknown_person', 'No member of this tenant has this id. Name new members by e-mail address.'],
  emailUnconfirmed: [
    'unknown_person',
    ({ email }: Values<'email'>) => `Nobody has confirmed the e-mail address ${email}. Ask the user to confirm it, then name them again.`,
  ],
  emailWithoutAccount: [
    'unknown_person',
    ({ email }: Values<'email'>) => `Nobody has signed up with the e-mail address ${email}. Ask the user to sign up, then name them again.`,
  ],
  personAmbiguous: ['invalid_request', 'Name each person by either email or userId.'],
  roleTooLow: [
    'forbidden',
    ({ needed, role }: Values<'needed' | 'role'>) => `This needs the role ${needed} in the tenant. Your role is ${role}.`,
  ],
  apiKeysForbidden: ['forbidden', 'API keys cannot create tenants. Sign in as a user.'],
  tooManyTenants: [
    'limit_reached',
    ({ tenantsMax }: Values<'tenantsMax'>) => `A user owns at most ${tenantsMax} tenants. Delete or transfer one first.`,
  ],
  cancellationForbidden: ['forbidden', 'Only the owner, signed in directly, can cancel the deletion of a tenant.'],
  limitsForbidden: ['forbidden', 'Only platform administrators can change the limits of a tenant.'],
  tenantDeleting: [
    'tenant_deleting',
    'The tenant that this belongs to is being deleted. Its owner can cancel that with PATCH /v1/tenants/{id} {"deleting": false}.',
  ],
})

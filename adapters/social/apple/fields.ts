import type { AdapterContext, Fields, sharedSettings } from 'serai/social'

export const credentials = {
  clientId: { label: 'Services ID', help: 'The identifier of the Services ID, such as com.example.web.' },
  teamId: { label: 'Team ID', pattern: '[A-Za-z0-9]{1,20}' },
  keyId: { label: 'Key ID', pattern: '[A-Za-z0-9]{1,20}' },
  privateKey: { label: 'Private key', secret: true, help: 'What stands in the file AuthKey_….p8, whole.' },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof sharedSettings>

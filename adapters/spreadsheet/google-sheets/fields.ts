import type { AdapterContext, Fields } from 'serai/spreadsheet'

export const LABEL = 'Google Sheets'
export const HOSTS = {
  sheets: 'sheets.googleapis.com',
  files: 'www.googleapis.com',
  tokens: 'oauth2.googleapis.com',
  people: 'accounts.google.com',
} as const

export const credentials = {
  clientId: {
    label: 'Client ID',
    optional: true,
    help: 'Of a web client of your own at Google. Left out, that of this server’s operator counts.',
  },
  clientSecret: { label: 'Client secret', secret: true, optional: true },
  accessToken: { label: 'Access token', secret: true, optional: true },
} as const satisfies Fields

export const settings = {} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>

import type { AdapterContext, Fields } from 'serai/spreadsheet'

export const LABEL = 'Airtable'
export const HOSTS = { api: 'api.airtable.com', people: 'airtable.com' } as const

export const credentials = {
  clientId: {
    label: 'Client ID',
    optional: true,
    help: 'Of an OAuth integration of your own at Airtable. Left out, that of this server’s operator counts.',
  },
  clientSecret: { label: 'Client secret', secret: true, optional: true },
  accessToken: { label: 'Access token', secret: true, optional: true },
} as const satisfies Fields

export const settings = {
  workspaceId: {
    label: 'Workspace for new bases',
    optional: true,
    pattern: 'wsp[A-Za-z0-9]{1,40}',
    help: 'Its id stands in the address of the workspace: wsp… Without it no base is made, and one that is there has to be chosen.',
  },
} as const satisfies Fields

export type Context = AdapterContext<typeof credentials, typeof settings>

import { Type as T } from '@sinclair/typebox'
import { connectionOperations } from '../connection.operations.ts'
import { get, patch, post, remove } from '../operation.ts'
import { exact, Maybe, namedSchema, PrintableText } from '../schema.ts'
import { GivenEvent, Sent } from './events.model.ts'
import { Ad, AdAccount, Day, ExternalId, ShownAdSet, ShownCampaign } from './model.ts'
import { AdLink, AdLinkChange, AdsSettings, AdsSettingsChange, LinkLevel } from './settings.model.ts'
import { AdsGrouping, AdsSummary } from './summary.model.ts'

/** Maximum number of events in one request of the API. */
const GIVEN_MAX = 100
const Id = T.String({ minLength: 1, maxLength: 64 })
const managed = { role: 'admin', scope: 'stores:write' } as const
const read = { role: 'viewer', scope: 'orders:read' } as const
const sent = { role: 'agent', scope: 'orders:write' } as const
const Asked = { accountId: Maybe({ ...ExternalId, description: 'a linked account; the only one by default' }) }
const Addressed = { storeId: Id, pixelId: ExternalId }

/** Operations of advertising platforms. */
export const adsOperations = {
  ...connectionOperations,
  signOut: remove({
    ...managed,
    paths: ['oauth'],
    needs: [],
    summary: 'Delete the tokens of the sign-in, and revoke them at the platform',
    response: exact({ disconnected: T.Boolean() }),
  }),
  adAccounts: get({
    ...managed,
    paths: ['ad-accounts'],
    needs: ['adAccounts'],
    summary: 'The ad accounts that are visible to the signed-in user',
    rows: AdAccount,
  }),
  settings: get({
    ...read,
    paths: ['ads/settings'],
    needs: [],
    summary: 'The linked ad accounts, the rules for pixel events, and their state',
    response: AdsSettings,
  }),
  changeSettings: patch({
    ...managed,
    paths: ['ads/settings'],
    needs: ['adAccounts'],
    summary: 'Set the linked ad accounts and the rules for pixel events; a list of rules replaces the old one',
    body: AdsSettingsChange,
    response: AdsSettings,
  }),
  summary: get({
    ...read,
    permission: 'figures:read',
    paths: ['ads/summary'],
    needs: ['insights'],
    summary: 'The cost of ads for each created, confirmed and delivered order',
    query: T.Object({
      from: Maybe(Day),
      to: Maybe(Day),
      by: Maybe(AdsGrouping),
      currency: Maybe(T.String({ pattern: '^[A-Z]{3}$', description: 'required if the accounts have several currencies' })),
    }),
    response: AdsSummary,
  }),
  campaigns: get({
    ...read,
    paths: ['ads/campaigns'],
    needs: ['campaigns'],
    summary: 'The campaigns of an account, as the platform has them now',
    query: T.Object(Asked),
    rows: ShownCampaign,
  }),
  adsets: get({
    ...read,
    paths: ['ads/adsets'],
    needs: ['adsets'],
    summary: 'The ad sets of an account, as the platform has them now',
    query: T.Object({ ...Asked, campaignId: Maybe(ExternalId) }),
    rows: ShownAdSet,
  }),
  ads: get({
    ...read,
    paths: ['ads/ads'],
    needs: ['ads'],
    summary: 'The ads of an account, as the platform has them now',
    query: T.Object({ ...Asked, campaignId: Maybe(ExternalId), adSetId: Maybe(ExternalId) }),
    rows: Ad,
  }),
  ad: get({
    ...read,
    paths: ['ads/ads/:adId'],
    needs: ['ads'],
    summary: 'One ad, as the platform has it now',
    params: T.Object({ adId: Id }),
    query: T.Object(Asked),
    response: Ad,
  }),
  links: get({
    ...read,
    paths: ['ads/links'],
    needs: [],
    summary: 'The links of campaigns and ads to products and landing pages',
    query: T.Object({ level: Maybe(LinkLevel) }),
    rows: AdLink,
  }),
  changeLink: patch({
    ...managed,
    paths: ['ads/links/:linkId'],
    needs: [],
    summary: 'Link a campaign or an ad to a product and a landing page; the link of an ad overrides that of its campaign',
    params: T.Object({ linkId: Id }),
    body: AdLinkChange,
    response: AdLink,
  }),
  syncLinks: post({
    ...managed,
    paths: ['ads/sync-links'],
    needs: ['campaigns', 'ads'],
    summary: 'Read the ads of all linked accounts, and link them by their destinations; links made by a person stay',
    response: T.Object({
      ads: T.Integer({ description: 'ads that were read' }),
      linked: T.Integer({ description: 'ads that lead to a product or a landing page of the store' }),
    }),
  }),
  sendEvent: post({
    ...sent,
    paths: [],
    brand: '/v1/actions/send{Brand}PixelEvent',
    needs: ['sendEvents'],
    summary: 'Send one event to the platform',
    body: namedSchema('NewPixelEvent', exact({ ...Addressed, event: GivenEvent })),
    response: Sent,
  }),
  sendEvents: post({
    ...sent,
    paths: [],
    brand: '/v1/actions/send{Brand}PixelEvents',
    needs: ['sendEvents'],
    summary: 'Send events to the platform; a rejected event does not affect the others',
    body: namedSchema('NewPixelEvents', exact({ ...Addressed, events: T.Array(GivenEvent, { minItems: 1, maxItems: GIVEN_MAX }) })),
    response: Sent,
  }),
  testEvent: post({
    ...sent,
    paths: [],
    brand: '/v1/actions/test{Brand}PixelEvent',
    needs: ['testEvent'],
    summary: 'Send an event to the test view of the platform. It may still count there',
    body: namedSchema(
      'PixelEventTest',
      exact({ ...Addressed, code: { ...PrintableText(60, 1), description: 'as shown in the test view' }, event: GivenEvent }),
    ),
    response: Sent,
  }),
}

import { Type as T } from '@sinclair/typebox'
import { connectionOperations } from '../connection.operations.ts'
import { get, patch, post, remove } from '../operation.ts'
import { exact, Maybe, named, Printed } from '../schema.ts'
import {
  Ad,
  AdAccount,
  AdLink,
  AdLinkChange,
  AdsGrouping,
  AdsSettings,
  AdsSettingsChange,
  AdsSummary,
  Day,
  ExternalId,
  GivenEvent,
  LinkLevel,
  Sent,
  ShownAdSet,
  ShownCampaign,
} from './model.ts'

/** Events that a caller hands over at once. */
const GIVEN_MAX = 100
const Id = T.String({ minLength: 1, maxLength: 64 })
const managed = { role: 'admin', scope: 'stores:write' } as const
const read = { role: 'viewer', scope: 'orders:read' } as const
const told = { role: 'agent', scope: 'orders:write' } as const
const Asked = { accountId: Maybe({ ...ExternalId, description: 'one that is linked; the only one, if left out' }) }
const Addressed = { storeId: Id, pixelId: ExternalId }

/** What is asked of advertising platforms. */
export const adsOperations = {
  ...connectionOperations,
  signOut: remove({
    ...managed,
    paths: ['oauth'],
    needs: [],
    summary: 'Forget what somebody signed in with, and tell the platform',
    response: exact({ disconnected: T.Boolean() }),
  }),
  adAccounts: get({
    ...managed,
    paths: ['ad-accounts'],
    needs: ['adAccounts'],
    summary: 'The ad accounts that whoever signed in may see',
    rows: AdAccount,
  }),
  settings: get({
    ...read,
    paths: ['ads/settings'],
    needs: [],
    summary: 'Whose spend is read, which order is which event, and how that goes',
    response: AdsSettings,
  }),
  changeSettings: patch({
    ...managed,
    paths: ['ads/settings'],
    needs: ['adAccounts'],
    summary: 'Say whose spend is read, and which order is which event; rules are given whole',
    body: AdsSettingsChange,
    response: AdsSettings,
  }),
  summary: get({
    ...read,
    paths: ['ads/summary'],
    needs: ['insights'],
    summary: 'What ads cost for each order that was taken, confirmed and delivered',
    query: T.Object({
      from: Maybe(Day),
      to: Maybe(Day),
      by: Maybe(AdsGrouping),
      currency: Maybe(T.String({ pattern: '^[A-Z]{3}$', description: 'where accounts spend in several' })),
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
    summary: 'Which campaigns and ads are for which products and landing pages',
    query: T.Object({ level: Maybe(LinkLevel) }),
    rows: AdLink,
  }),
  changeLink: patch({
    ...managed,
    paths: ['ads/links/:linkId'],
    needs: [],
    summary: 'Say which product and landing page a campaign or an ad is for; that of an ad counts before that of its campaign',
    params: T.Object({ linkId: Id }),
    body: AdLinkChange,
    response: AdLink,
  }),
  syncLinks: post({
    ...managed,
    paths: ['ads/sync-links'],
    needs: ['campaigns', 'ads'],
    summary: 'Read the ads of all linked accounts, and link them by where they lead; what a person linked stays',
    response: T.Object({
      ads: T.Integer({ description: 'that were read' }),
      linked: T.Integer({ description: 'that lead to a product or a landing page of the store' }),
    }),
  }),
  sendEvent: post({
    ...told,
    paths: [],
    brand: '/v1/actions/send{Brand}PixelEvent',
    needs: ['sendEvents'],
    summary: 'Tell the platform of one event',
    body: named('NewPixelEvent', exact({ ...Addressed, event: GivenEvent })),
    response: Sent,
  }),
  sendEvents: post({
    ...told,
    paths: [],
    brand: '/v1/actions/send{Brand}PixelEvents',
    needs: ['sendEvents'],
    summary: 'Tell the platform of events; one that it does not take keeps none of the others back',
    body: named('NewPixelEvents', exact({ ...Addressed, events: T.Array(GivenEvent, { minItems: 1, maxItems: GIVEN_MAX }) })),
    response: Sent,
  }),
  testEvent: post({
    ...told,
    paths: [],
    brand: '/v1/actions/test{Brand}PixelEvent',
    needs: ['testEvent'],
    summary: 'Show an event in the test view of the platform. It may count there all the same',
    body: named(
      'PixelEventTest',
      exact({ ...Addressed, code: { ...Printed(60, 1), description: 'as the test view says it' }, event: GivenEvent }),
    ),
    response: Sent,
  }),
}

import { Type as T } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { redirectTo } from '../../../http/pages/notice-page.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data, Id, Maybe, oneOf } from '../../../http/schema.ts'
import { readInboundRequest, toResponse } from '../../../integrations/webhook-intake/inbound-request.ts'
import { PlatformSlug } from '../connectors.model.ts'
import { finishInstall, receiveKeys } from '../install/install-shop.ts'
import { installResultPage } from '../install/result-page.ts'
import { answerChallenge, receiveForConnection, receiveForPlatform } from './receive-webhook.ts'

const describe = tagOperations('Connectors')
const describeCallback = (summary: string, operationId: string) => ({ ...describe(summary, operationId), 'x-callback': true })
const html = { responses: { 200: { description: 'The outcome.', content: { 'text/html': { schema: { type: 'string' as const } } } } } }
const ANSWERED = {
  responses: { 200: { description: 'The answer, in plain text.', content: { 'text/plain': { schema: { type: 'string' as const } } } } },
}
const ByPlatform = T.Object({ platform: PlatformSlug })

/** Largest body with keys, in bytes. It is read before anything is verified. */
const KEYS_MAX = 64 * 1024

/** Routes that shops and their owners' browsers call. They need no credential: the adapter verifies a signature, or a state works once. */
export const connectorWebhookRoutes = (context: Context) =>
  new Elysia({ name: 'connector callbacks', prefix: '/v1/integrations/connectors' })
    .use(context.authority)
    .get(
      '/mobile-result',
      ({ query, request }) => {
        const label = context.plugins.find('connector', query.platform ?? '')?.adapter.label ?? 'Serai'
        return installResultPage(query.outcome ?? 'failed', label, request.headers.get('accept-language'))
      },
      {
        open: true,
        query: T.Object(
          { platform: Maybe(PlatformSlug), outcome: Maybe(oneOf(['connected', 'denied', 'failed'])) },
          { additionalProperties: true },
        ),
        detail: { ...describe('The outcome of connecting a shop, as a page for a phone', 'showConnectorResult'), ...html },
      },
    )
    .get(
      '/:platform/callback',
      async ({ params, query, request }) => {
        const { outcome, redirectTo: goesOnTo } = await finishInstall(
          context,
          params.platform,
          query.state ?? '',
          new URL(request.url).searchParams,
        )
        return redirectTo(
          goesOnTo ?? `/v1/integrations/connectors/mobile-result?${new URLSearchParams({ platform: params.platform, outcome })}`,
        )
      },
      {
        params: ByPlatform,
        query: T.Object({ state: Maybe(T.String({ maxLength: 2000 })) }, { additionalProperties: true }),
        detail: {
          ...describeCallback("Callback of a shop for its owner's browser", 'finishConnectorInstall'),
          responses: { 303: { description: 'Redirect to the page that shows the outcome.' } },
        },
      },
    )
    .post(
      '/:platform/callback',
      async ({ params, request }) => {
        await receiveKeys(context, params.platform, await readInboundRequest(context, request, KEYS_MAX))
        return { data: { connected: true } }
      },
      {
        parse: 'none',
        params: ByPlatform,
        response: Data(T.Object({ connected: T.Boolean() })),
        detail: describeCallback(
          'Receive the keys that a shop sends after its owner has consented; the state in them works once',
          'takeConnectorKeys',
        ),
      },
    )
    .get(
      '/:platform/webhook',
      async ({ params, request }) =>
        toResponse(await answerChallenge(context, params.platform, await readInboundRequest(context, request))),
      {
        params: ByPlatform,
        detail: {
          ...describeCallback('Answer the challenge of a platform for the address of all its shops', 'answerPlatform'),
          ...ANSWERED,
        },
      },
    )
    .get(
      '/:platform/webhook/:storeId/:connectorId',
      async ({ params, request }) =>
        toResponse(
          await receiveForConnection(
            context,
            params.storeId,
            params.connectorId,
            params.platform,
            await readInboundRequest(context, request),
          ),
        ),
      {
        params: T.Object({ platform: PlatformSlug, storeId: Id, connectorId: Id }),
        detail: { ...describeCallback('Answer the challenge of a platform for the address of one shop', 'answerConnector'), ...ANSWERED },
      },
    )
    .post(
      '/:platform/webhook',
      async ({ params, request }) =>
        toResponse(await receiveForPlatform(context, params.platform, await readInboundRequest(context, request))),
      {
        parse: 'none',
        params: ByPlatform,
        detail: describeCallback('Webhook of any shop of a platform, which a header names; verified on its exact bytes', 'hearPlatform'),
      },
    )
    .post(
      '/:platform/webhook/:storeId/:connectorId',
      async ({ params, request }) =>
        toResponse(
          await receiveForConnection(
            context,
            params.storeId,
            params.connectorId,
            params.platform,
            await readInboundRequest(context, request),
          ),
        ),
      {
        parse: 'none',
        params: T.Object({ platform: PlatformSlug, storeId: Id, connectorId: Id }),
        detail: describeCallback('Webhook of one shop; verified on its exact bytes, stored and answered at once', 'hearConnector'),
      },
    )

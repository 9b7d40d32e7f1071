import { Elysia } from 'elysia'
import type { Context } from '../../../context.ts'
import { tagOperations } from '../../../http/route.ts'
import { Data } from '../../../http/schema.ts'
import { StoredFile } from '../../../platform/files/files.model.ts'
import {
  CodeRequest,
  DatesRequest,
  DeliveryPricesInstruction,
  FilterRequest,
  GeneratedCode,
  ImageRequest,
  LogoRequest,
  ProductInstruction,
  SuggestedChange,
  SuggestedDates,
  SuggestedFilter,
  VoiceoverRequest,
} from './ai.model.ts'
import { suggestDeliveryPrices, suggestProductChange } from './ai-changes.ts'
import { createImage, createLogo, createVoiceover } from './ai-media.ts'
import { generateCode, suggestDates, suggestFilter } from './ai-text.ts'

const describe = tagOperations('Actions')

/** Options that abort the work when the client disconnects. */
const signalOf = ({ signal }: Request) => ({ signal })

/** Tasks for the model, by route. */
const tasks = {
  simple: 'Write a small piece for a page of the shop.',
  component:
    'Write one component for a page of the shop: it stands alone, is called by its data, loads nothing from elsewhere and reads no cookies.',
}

/** Routes that return an answer of a model: suggested changes, filters, days and code. */
export const suggestionActions = (context: Context) =>
  new Elysia({ name: 'suggesting actions', prefix: '/v1/actions' })
    .use(context.authority)
    .post(
      '/updateProductUsingAi',
      async ({ store, body, request }) => ({ data: await suggestProductChange(context, store, body, signalOf(request)) }),
      {
        store: ['admin', 'products:write'],
        body: ProductInstruction,
        response: Data(SuggestedChange),
        detail: describe('Change a product by an instruction; only suggested, or applied', 'updateProductUsingAi'),
      },
    )
    .post(
      '/updateShippingPriceUsingAi',
      async ({ store, body, request }) => ({ data: await suggestDeliveryPrices(context, store, body, signalOf(request)) }),
      {
        store: ['admin', 'stores:write'],
        body: DeliveryPricesInstruction,
        response: Data(SuggestedChange),
        detail: describe('Change the delivery prices by an instruction; only suggested, or applied', 'updateShippingPriceUsingAi'),
      },
    )
    .post(
      '/generateListFilterUsingAi',
      async ({ store, body, request }) => ({ data: await suggestFilter(context, store, body, signalOf(request)) }),
      {
        store: ['agent', 'stores:read'],
        body: FilterRequest,
        response: Data(SuggestedFilter),
        detail: describe('Translate a search in plain words to a filter of a list', 'generateListFilterUsingAi'),
      },
    )
    .post(
      '/generateDatePresetUsingAi',
      async ({ store, body, request }) => ({ data: await suggestDates(context, store, body, signalOf(request)) }),
      {
        store: ['agent', 'stores:read'],
        body: DatesRequest,
        response: Data(SuggestedDates),
        detail: describe('Translate a period in plain words to a range of days', 'generateDatePresetUsingAi'),
      },
    )
    .post(
      '/generateSimpleCode',
      async ({ store, body, request }) => ({ data: await generateCode(context, store, tasks.simple, body, signalOf(request)) }),
      {
        store: ['admin', 'stores:write'],
        body: CodeRequest,
        response: Data(GeneratedCode),
        detail: describe('Generate a piece of code for a page, as text', 'generateSimpleCode'),
      },
    )
    .post(
      '/generateCustomComponentCode',
      async ({ store, body, request }) => ({ data: await generateCode(context, store, tasks.component, body, signalOf(request)) }),
      {
        store: ['admin', 'stores:write'],
        body: CodeRequest,
        response: Data(GeneratedCode),
        detail: describe('Generate the code of a component for the store, as text', 'generateCustomComponentCode'),
      },
    )

/** Routes that store the media of a model as a file of the store. */
export const mediaActions = (context: Context) =>
  new Elysia({ name: 'making actions', prefix: '/v1/actions' })
    .use(context.authority)
    .post(
      '/editOrGenerateSimpleImage',
      ({ store, body, request, caller, set }) => createImage(context, store, { request, caller, set, body }, body),
      {
        store: ['admin', 'stores:write'],
        body: ImageRequest,
        response: { 201: Data(StoredFile) },
        detail: describe('Generate a picture, or edit one of the store', 'editOrGenerateSimpleImage'),
      },
    )
    .post('/generateLogo', ({ store, body, request, caller, set }) => createLogo(context, store, { request, caller, set, body }, body), {
      store: ['admin', 'stores:write'],
      body: LogoRequest,
      response: { 201: Data(StoredFile) },
      detail: describe('Generate a logo', 'generateLogo'),
    })
    .post(
      '/generateVoiceover',
      ({ store, body, request, caller, set }) => createVoiceover(context, store, { request, caller, set, body }, body),
      {
        store: ['admin', 'stores:write'],
        body: VoiceoverRequest,
        response: { 201: Data(StoredFile) },
        detail: describe('Turn a text into speech', 'generateVoiceover'),
      },
    )

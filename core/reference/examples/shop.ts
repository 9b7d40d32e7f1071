import { example } from '../../platform/geo/countries/index.ts'
import { exampleId } from './ids.ts'

const { country, countryName, nativeName, callingCode, currency, currencyName, currencySymbol, phone, email, address, timeZone } = example
const [storeId, productId] = [exampleId('sto'), exampleId('prd')]

const product = {
  name: 'Wool basket',
  price: 6500,
  slug: 'wool-basket',
  description: 'Woven by hand of undyed wool, 30 cm wide.',
  sku: 'BSK-30',
  status: 'active',
  compareAtPrice: 7900,
  cost: 3200,
  weightKg: 1.2,
}
const promo = {
  code: 'EID10',
  kind: 'percent',
  value: 10,
  minimumSubtotal: 5000,
  startsAt: '2031-01-20T00:00:00.000Z',
  endsAt: '2031-01-31T23:00:00.000Z',
}
const category = { name: 'Baskets', slug: 'baskets', position: 1 }
const page = { title: 'Delivery', slug: 'delivery', format: 'markdown', content: example.content, published: true }
const template = { name: 'Souk', description: 'One column, large pictures.', category: 'storefront', published: true }
const landingTemplate = {
  name: 'One product, one promise',
  description: 'Headline, three advantages, order form.',
  category: 'landing',
  published: true,
}
const prompt = 'A wool basket on a wooden table, in morning light'
const negativePrompt = 'text, people'
const imageTemplate = { name: 'Product on wood', prompt, negativePrompt, aspectRatio: '1:1', published: true }
const image = { name: 'Basket in morning light', prompt, negativePrompt, aspectRatio: '1:1', productId }
const feedback = { name: 'Amina Saadi', text: 'It came in two days and is well made.', rating: 5, productId }
const place = { name: countryName, nativeName, currencies: [currency], callingCodes: [callingCode], languages: ['ar', 'fr'], enabled: true }
const state = { name: example.stateName, nameAr: example.stateNameAr, enabled: true }
const city = { name: example.cityName, nameAr: example.cityNameAr, postalCode: example.postalCode, latitude: 36.7167, longitude: 3.1833 }
const money = { name: currencyName, symbol: currencySymbol, decimals: 2, enabled: true }
const store = { name: 'Maison Saadi', slug: 'maison-saadi', countryCode: country, currencyCode: currency, phone, email }

/** Examples of stores, products, stock and content, by schema or operation. */
export const shop: Readonly<Record<string, unknown>> = {
  NewStore: store,
  StoreReplacement: { ...store, slug: 'saadi-baskets', address, settings: { deliveryPrices: { home: 600, pickup: 400 }, timeZone } },
  StoreChange: { phone, address, settings: { deliveryPrices: { home: 600, pickup: 400 } } },
  NewMember: { email: example.otherEmail, role: 'agent' },
  MemberChange: { role: 'agent', permissions: ['orders:read', 'orders:write'] },
  NewStoreInvitation: { email: example.otherEmail, role: 'agent', language: 'fr' },
  NewBlock: { phone: example.otherPhone, reason: 'Refused five deliveries in a row.' },
  NewSavedFilter: { page: 'orders', name: 'Waiting since yesterday', query: 'filter[status]=pending&sort=createdAt' },
  SavedFilterChange: { query: 'filter[status]=pending&sort=-total' },
  NewTemplatePreview: { templateId: exampleId('tpl'), hours: 24 },
  NewDomain: { host: 'shop.example.com' },
  NewProduct: { storeId, ...product, initialStock: 25 },
  ProductReplacement: product,
  ProductChange: { price: 5900, compareAtPrice: 6500 },
  NewPromo: { storeId, ...promo },
  PromoReplacement: { ...promo, value: 15 },
  'promo.validate': { storeId, code: 'EID10', items: [{ productId, quantity: 1 }], stateCode: example.stateCode, deliveryType: 'home' },
  NewCategory: { storeId, ...category },
  CategoryReplacement: { ...category, position: 2 },
  NewTemplate: { storeId, ...template },
  TemplateReplacement: template,
  TemplateChange: { published: false },
  NewProductLandingPageTemplate: { storeId, ...landingTemplate },
  ProductLandingPageTemplateReplacement: landingTemplate,
  ProductLandingPageTemplateChange: { published: false },
  NewImagePromptTemplate: { storeId, ...imageTemplate },
  ImagePromptTemplateReplacement: imageTemplate,
  ImagePromptTemplateChange: { prompt: 'A wool basket on a stone floor, in evening light' },
  NewImageGeneration: { storeId, ...image },
  ImageGenerationReplacement: image,
  ImageGenerationChange: { prompt: 'A wool basket on a stone floor, in evening light' },
  NewPage: { storeId, ...page },
  PageReplacement: page,
  PageChange: { title: 'Delivery and returns' },
  NewFeedback: { storeId, ...feedback },
  FeedbackReplacement: { ...feedback, status: 'published' },
  FeedbackChange: { status: 'published' },
  NewFeedbackComment: { text: 'Thank you, Amina!' },
  NewInventoryOperation: {
    type: 'receive',
    reference: 'Delivery note 118',
    legs: [{ namespace: 'main', key: 'BSK-30', quantity: 25, unitCost: 3200 }],
  },
  NewInventoryReversal: { note: 'Entered twice.' },
  NewReservation: { reference: 'ORD-1042', ttlSeconds: 3600, legs: [{ namespace: 'main', key: 'BSK-30', quantity: 1 }] },
  NewCountry: { code: country, ...place },
  CountryReplacement: place,
  CountryChange: { enabled: false },
  NewState: { code: example.stateCode, ...state },
  StateReplacement: state,
  NewCity: { code: example.cityCode, ...city },
  CityReplacement: city,
  NewCurrency: { code: currency, ...money },
  CurrencyReplacement: money,
  CurrencyChange: { enabled: false },
  OptionChange: { value: { supportEmail: 'help@shop.example' }, isPublic: true },
}

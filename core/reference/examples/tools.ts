import { exampleId, otherExampleId } from './ids.ts'

const [storeId, productId] = [exampleId('sto'), exampleId('prd')]
const skill = '---\nname: wrapping\ndescription: How to wrap a parcel\n---\n\nFold the paper twice, then tape both ends.'

/** Examples of assistants, models and generated pages, by schema or operation. */
export const tools: Readonly<Record<string, unknown>> = {
  ComponentsAsked: { storeId, names: ['order-form'] },
  ProductWish: { storeId, productId, instruction: 'Shorten the description to two sentences.', apply: false },
  ShippingWish: { storeId, instruction: 'Home delivery to the capital costs 500, elsewhere 800.', apply: false },
  FilterWish: { storeId, list: 'orders', request: 'confirmed since Monday, above 5000' },
  DateWish: { storeId, request: 'the last two weeks' },
  CodeWish: { storeId, request: 'A button that scrolls to the order form', language: 'html' },
  ImageWish: { storeId, prompt: 'A wool basket on a wooden table, in morning light', size: 'square' },
  LogoWish: { storeId, name: 'Maison Saadi', description: 'A woven basket in two colours', transparent: true },
  VoiceWish: { storeId, text: 'Our wool baskets are back in stock.', manner: 'Warm and calm', speed: 1 },
  NewAiTask: {
    model: 'sandbox-model/writer',
    input: { type: 'text', messages: [{ role: 'user', text: 'Write a headline for a wool basket.' }] },
    maxCost: 0.05,
  },
  NewAiCredit: { amount: 20, currency: 'USD', note: 'Transfer of 2 November' },
  AiTaskSettlement: { charged: 0.02, note: 'The dashboard of the provider shows this price.' },
  NewDrawing: { count: 2, transparent: false },
  LandingTemplateWish: { storeId, productId, instructions: 'For young families', language: 'ar' },
  LandingPageWish: { storeId, productId, instructions: 'For young families', language: 'ar', pictures: 2 },
  PictureLandingPageWish: { storeId, productId, instructions: 'For young families', language: 'ar', pictures: 3 },
  LandingEditWish: { storeId, id: exampleId('pag'), instruction: 'Make the headline shorter.', apply: false },
  NewMcpServer: { storeId, name: 'Supplier stock', url: 'https://mcp.supplier.example/mcp', auth: 'oauth', shared: false },
  McpServerChange: { name: 'Supplier stock and prices' },
  McpSignInStart: { returnTo: 'https://shop.example/assistant' },
  McpSignInEnd: { state: 'read it from the redirect', code: 'read it from the redirect' },
  mcp: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  NewSkill: { storeId, content: skill },
  SkillChange: { content: skill },
  ChatEstimateInput: { storeId, text: 'Which orders wait for confirmation?', maxTokens: 500 },
  NewConversation: { storeId, title: 'Orders of this week' },
  ConversationChange: { title: 'Late parcels' },
  NewChatMessage: { text: 'Which orders wait for confirmation?' },
  ChatQueuePrompt: { text: 'And which of them are above 10,000?' },
  ChatQueueOrder: { ids: [otherExampleId('que'), exampleId('que')] },
  NewChatRule: { storeId, name: 'Tone', text: 'Answer briefly and in French.', shared: false, paths: ['/orders/**'] },
  ChatRuleChange: { text: 'Answer briefly, in the language of the question.' },
}

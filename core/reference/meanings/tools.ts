import type { Meanings } from './group.ts'

/** Meanings of the values of assistants, models, pictures and landing pages. */
export const tools: readonly Meanings[] = [
  {
    text: 'Words, which every model understands.',
    image: 'Pictures as part of the question.',
    audio: 'Spoken or recorded sound.',
    file: 'Documents, such as PDF.',
  },
  {
    text: 'Answers in words or JSON.',
    image: 'Draws pictures from a description.',
    speech: 'Reads a text aloud.',
  },
  {
    queued: 'Waits for a free worker; its maximum cost is held back.',
    running: 'The model is at work at this moment.',
    completed: 'The result is ready, and its cost was charged.',
    failed: 'Ended without a usable result; `reason` says why.',
    cancelled: 'Called off by request; only work already done is charged.',
    reconciliation_required: 'Outcome or cost is not known. An administrator checks the provider and settles it.',
  },
  {
    refused: 'The model declined the content. Rephrase the request.',
    unavailable: 'The model could not be reached after several tries. Start another task later.',
    not_connected: 'The connection of the model was removed or switched off after the task was queued.',
    answer_lost: 'The work was done and charged, but its result was lost on the way.',
    output_invalid: 'The result does not fit the requested schema; it is charged and returned as it is.',
    outcome_unknown: 'The request was sent and never answered, so nobody can say if it was done.',
    cost_unknown: 'The result is there, but the provider did not report a price.',
    cancelled_midway: 'It was called off after the request was sent, so its price must be found out.',
    settled: 'An administrator looked at the provider and decided what is charged.',
  },
  {
    running: 'Words arrive at this moment; follow the stream.',
    completed: 'The whole answer is stored in the conversation.',
    failed: 'Broke off; `problem` says why. Send the message again.',
    cancelled: 'The user pressed stop; what had arrived is kept.',
  },
  {
    user: 'Written by the person who asks.',
    assistant: 'Answer that the model wrote.',
    tool: 'What a tool gave back to the model.',
    summary: 'Replaces earlier messages for the model, to save space.',
  },
  {
    system: 'Instructions about the task, which stand above the conversation.',
    user: 'The question or the text to work on.',
    assistant: 'An earlier answer of the model, as an example or for continuity.',
  },
  {
    open: 'Waits for the person; nothing has been done yet.',
    confirmed: 'The person agreed, and the action was carried out.',
    rejected: 'The person declined, and nothing was done.',
  },
  {
    html: 'Headings, paragraphs and other elements of a page.',
    css: 'Colours, sizes and layout of a page.',
    javascript: 'Behaviour of a page in the browser.',
    json: 'Structured data for other programs.',
  },
  {
    square: 'As wide as high; for feeds and product galleries.',
    portrait: 'Higher than wide; for stories and phones.',
    landscape: 'Wider than high; for banners.',
  },
  {
    mp3: 'Compressed sound that plays everywhere.',
    wav: 'Uncompressed sound, large, for editing.',
    opus: 'Compressed sound, smallest, for messengers and the web.',
  },
  {
    'image/jpeg': 'Photographs, compressed with slight loss.',
    'image/png': 'Drawings and screenshots, without loss.',
    'image/webp': 'Photographs or drawings, in a compact size.',
    'image/gif': 'Simple drawings with few colours.',
  },
  {
    draft: 'Only the description exists; start it with `generate`.',
    queued: 'Waits for a free worker.',
    running: 'The model draws at this moment.',
    done: 'The pictures are ready in `images`.',
    failed: 'No picture was made; `failure` says why.',
  },
  {
    queued: 'Waits for a free worker.',
    running: 'Texts and pictures are being made; `progress` counts the steps.',
    completed: 'All steps are done: `data` has the texts, and a page is saved unless only texts were requested.',
    failed: 'Broke off before a page was saved. Start another.',
  },
  {
    template: 'Only the texts of the sections; no page is saved.',
    page: 'A page of sections with texts and pictures.',
    picture_page: 'A page whose content is drawn as tall pictures.',
  },
  {
    hero: 'Top of the page: headline, promise and main picture.',
    benefits: 'A list of advantages for the buyer.',
    text: 'A paragraph under a heading.',
    steps: 'Instructions in sequence, such as how to use it.',
    details: 'Facts such as material, size and weight.',
    gallery: 'Several pictures side by side.',
    questions: 'What buyers ask, with answers.',
    offer: 'The price with the order form.',
  },
  {
    none: 'Requests carry no credential.',
    headers: 'Each request carries the fixed headers that were entered.',
    oauth: 'Each user authorizes with an account of their own.',
  },
  { orders: 'Filters for the list of sales.', products: 'Filters for the catalogue, by price or stock for example.' },
]

/** Tools for sources that implement OpenAI's API. */

export { brokeOff } from './broke-off.ts'
export { type ChatServer, chatProblem, completeChat, usageIn } from './chat-completions.ts'
export { costIn, perMillion, pricesByLine } from './decimals.ts'
export { drawPictures, editPictures, speakText } from './pictures.ts'
export { type LeftOut, type ToldTool, type ToldTools, tellTools } from './tell-tools.ts'
export { tolerateTools } from './tolerate-tools.ts'
export { DEPTH_MAX, dereference, described, listIn, objectSchema, rowIn, typesOf } from './tool-schema.ts'

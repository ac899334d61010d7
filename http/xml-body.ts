import { XmlError } from '../runtime/xml-scanner.js';
import { readXmlText, type XmlPlan } from '../runtime/xml.js';
import { DecodeError } from '../runtime/decode-error.js';

/** Parses an XML document. @throws DecodeError */
export function readXmlBody(text: string, plan: XmlPlan): unknown {
  return decodeXml(() => readXmlText(text, plan));
}

/** @throws DecodeError instead of XmlError */
export function decodeXml(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof XmlError) throw new DecodeError(error.message);
    throw error;
  }
}

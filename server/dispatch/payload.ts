/** A body as it goes on the wire. */
export interface Payload {
  contentType: string;
  /** The very characters that are sent, encoded as UTF-8. JSON holds no invisible character: each is a `\\uXXXX` escape. */
  text: string;
  /** What is sent where it is no text: a body with files. `text` then describes it for a person, part by part. */
  bytes?: Uint8Array<ArrayBuffer>;
}

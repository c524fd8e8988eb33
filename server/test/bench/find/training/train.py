"""Trains the word vectors of find_tool: python3 train.py FOLDER OUT (needs numpy and scipy; see README.md).

FOLDER/examples.json -> OUT. A question is the idf-weighted mean of the vectors of its stems and pairs of neighbours;
a group of operations is a vector and a bias; softmax over groups, cross entropy, Adagrad, dropout of words.
"""
import json
import struct
import sys

import numpy as np
import scipy.sparse as sparse

folder, out = sys.argv[1:3]
DIMENSIONS, EPOCHS, RATE, DROPOUT, BATCH, SHARPNESS = 100, 6, 0.05, 0.3, 256, 10
START_LENGTH, PAIR_WEIGHT, LEAST_PAIRS, LEAST_STEMS = 0.3, 0.7, 3, 2
random = np.random.default_rng(1)
data = json.load(open(f"{folder}/examples.json"))
examples, names, groups = data["examples"], data["terms"], data["groups"]

counts = np.zeros(len(names), int)
for example in examples:
    counts[example["terms"]] += 1
is_pair = np.array([" " in name for name in names])
kept = np.where(counts >= np.where(is_pair, LEAST_PAIRS, LEAST_STEMS))[0]
row_of = -np.ones(len(names), int)
row_of[kept] = np.arange(len(kept))
idf = np.log((len(examples) + 1) / (counts[kept] + 1)).astype("f") * np.where(is_pair[kept], PAIR_WEIGHT, 1).astype("f")


def matrix():
    rows, columns, values = [], [], []
    for i, example in enumerate(examples):
        own = [row_of[t] for t in example["terms"] if row_of[t] >= 0]
        length = np.sqrt(sum(idf[t] ** 2 for t in own)) or 1
        rows += [i] * len(own)
        columns += own
        values += [idf[t] / length for t in own]
    return sparse.csr_matrix((np.array(values, "f"), (rows, columns)), shape=(len(examples), len(kept)))


def start_vectors():
    known = {stem: np.array(v, "f") / np.linalg.norm(v) for stem, v in data["start"].items()}
    mean = np.mean(list(known.values()), 0)
    start = np.zeros((len(kept), DIMENSIONS), "f")
    for row, term in enumerate(kept):
        stems = names[term].split(" ")
        for stem in stems:
            if stem in known:
                start[row] += (known[stem] - mean) * START_LENGTH / len(stems)
    return start


texts, right = matrix(), np.array([example["group"] for example in examples])
terms = start_vectors()
members = sparse.csr_matrix((np.ones(len(right)), (right, np.arange(len(right)))), shape=(len(groups), len(right)))
vectors = (members @ (texts @ terms)).astype("f")
vectors *= 0.5 / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6)
bias = np.zeros(len(groups), "f")
term_sum, vector_sum, bias_sum = np.full((len(kept), 1), 1e-4, "f"), np.full((len(groups), 1), 1e-4, "f"), np.full(len(groups), 1e-4, "f")

for epoch in range(EPOCHS):
    order, loss = random.permutation(len(examples)), 0.0
    for begin in range(0, len(order), BATCH):
        at = order[begin : begin + BATCH]
        batch = texts[at].copy()
        batch.data *= (random.random(len(batch.data)) > DROPOUT) / (1 - DROPOUT)
        hidden = batch @ terms
        logits = hidden @ vectors.T * SHARPNESS + bias
        logits -= logits.max(1, keepdims=True)
        share = np.exp(logits)
        share /= share.sum(1, keepdims=True)
        own = np.arange(len(at))
        loss -= np.log(share[own, right[at]] + 1e-9).sum()
        share[own, right[at]] -= 1
        share /= len(at)
        to_vectors, to_hidden, to_bias = share.T @ hidden * SHARPNESS, share @ vectors * SHARPNESS, share.sum(0)
        used = np.unique(batch.indices)
        to_terms = (batch.T @ to_hidden)[used]
        term_sum[used, 0] += (to_terms**2).mean(1)
        terms[used] -= RATE * to_terms / np.sqrt(term_sum[used])
        vector_sum[:, 0] += (to_vectors**2).mean(1)
        vectors -= RATE * to_vectors / np.sqrt(vector_sum)
        bias_sum += to_bias**2
        bias -= RATE * to_bias / np.sqrt(bias_sum)
    print(f"epoch {epoch + 1} of {EPOCHS}: loss {loss / len(examples):.3f}", flush=True)


def as_bytes(values):
    scale = (np.abs(values).max(1) / 127 + 1e-12).astype("<f4")
    return np.round(values / scale[:, None]).astype(np.int8), scale


term_bytes, term_scale = as_bytes(terms)
group_bytes, group_scale = as_bytes(vectors * SHARPNESS)
header = json.dumps({"dimensions": DIMENSIONS, "terms": [names[t] for t in kept], "groups": groups}, ensure_ascii=False).encode()
with open(out, "wb") as file:
    file.write(struct.pack("<I", len(header)) + header)
    for part in (term_scale, idf.astype("<f4"), group_scale, bias.astype("<f4"), term_bytes, group_bytes):
        file.write(part.tobytes())

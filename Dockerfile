# An image with the explorer and all other commands; docs/explorer.md explains its use.
# docker build --tag menace .
# docker run --rm --init -p 127.0.0.1:8001:8001 -v menace:/data menace
FROM python:3.13 AS build
COPY . /source
RUN pip wheel --no-deps --wheel-dir /wheels /source

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir "$(echo /wheels/*.whl)[web,plot,print]" && rm -r /wheels
RUN useradd --create-home menace && mkdir /data && chown menace /data
USER menace
WORKDIR /data
VOLUME /data
EXPOSE 8001
CMD ["menace", "serve", "--host", "0.0.0.0"]
